// The startup banner: addresses, the first password, and an example request.
import type { Config } from '../config/config.js';
import type { RunningSite } from './start-site.js';

/** The lines of the banner. */
export function startupBanner(config: Config, site: RunningSite): string {
  const api = `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`;
  const listed = [...site.models.byName.values()].filter(
    (model) => model.table && model.operations.has('list') && !model.parent,
  );
  // The resource with the most fields serves as the example.
  const first = listed.sort((a, b) => b.fields.size - a.fields.size)[0];
  const { administrator } = site;
  const lines = [
    '',
    `  API    ${api}`,
    `  Docs   ${config.publicUrl}/docs`,
    ...(administrator ? [`  Login  ${administrator.username}${secret(administrator.generatedPassword)}`] : []),
    `  Try    curl ${api}/${first?.path ?? ''}`,
    '',
    '',
  ];
  return lines.join('\n');
}

function secret(password: string | undefined): string {
  return password === undefined ? '' : ` / ${password}   (shown once: keep it)`;
}
