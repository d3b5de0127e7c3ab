// The page that a browser gets at every URL: the same frame with nothing of the caller or of the data in it. Its script
// requests the data from the API.
import { PAGES_FOLDER } from '../../model/functions/paths.js';
import type { Assets } from './assets.js';

/** What the page needs to know of the API. */
export interface ShellOptions {
  title: string;
  /** Path of the server as browsers see it: the path of `PUBLIC_URL`, without a slash at its end. */
  home: string;
  /** Path of the API root below it, '' or `/wp-json`. */
  root: string;
  namespace: string;
  /** Absolute URL of the API root, as links begin with it. */
  api: string;
}

/**
 * Nothing but own scripts, styles and requests; no page may frame it, and its forms are sent by the script alone.
 * `blob:` is for the preview of an image before it is uploaded.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The HTML of the page. */
export function shell({ title, home, root, namespace, api }: ShellOptions, assets: Assets): string {
  const folder = `${home}${root}/${PAGES_FOLDER}/${assets.hash}`;
  const safe = escapeHtml(title);
  const preloads = assets.modules.map(
    (name) => `    <link rel="modulepreload" href="${escapeHtml(`${folder}/${name}`)}">`,
  );
  return `<!doctype html>
<html lang="en" data-home="${escapeHtml(home)}" data-root="${escapeHtml(root)}" data-namespace="${escapeHtml(namespace)}" data-api="${escapeHtml(api)}" data-assets="${escapeHtml(folder)}" data-title="${safe}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>${safe}</title>
    <link rel="icon" href="${escapeHtml(`${folder}/icon.svg`)}">
    <link rel="stylesheet" href="${escapeHtml(`${folder}/style.css`)}">
${preloads.join('\n')}
    <script type="module" src="${escapeHtml(`${folder}/main.js`)}"></script>
  </head>
  <body>
    <div id="page"><main><noscript><p>This page needs JavaScript. Without it, ask for JSON: send the header <code>Accept: application/json</code>.</p></noscript></main></div>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
