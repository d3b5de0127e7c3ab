// The startup banner: URLs, the first password, and an example request.
import { ANONYMOUS } from '../model/actor.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { startLine } from '../errors/command-line.js';
import type { SampleNews } from '../transfer/load/sample-content.js';
import type { RunningSite } from './start-site.js';
import type { Config } from '../config/settings.js';

/** The lines of the banner; `news`: about sample content. */
export function startupBanner(config: Config, site: RunningSite, news?: SampleNews): string {
  const api = `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`;
  const lines = [
    '',
    ...(config.pages ? [`  Open   ${config.publicUrl}${config.apiRoot}/   in a browser`] : []),
    `  API    ${api}`,
    `  Docs   ${config.publicUrl}/docs`,
    ...credentialLines(site),
    `  Try    curl ${api}/${example(site.models)}`,
    ...(news ? [`  Sample ${sampleLine(news)}`] : []),
    '',
    '',
  ];
  return lines.join('\n');
}

/** The account that this start has made, with a generated password; none at later starts. */
export function credentialLines({ administrator }: Pick<RunningSite, 'administrator'>): string[] {
  if (!administrator) return [];
  return [`  Login  ${administrator.username}${secret(administrator.generatedPassword)}`];
}

function sampleLine(news: SampleNews): string {
  if ('offered' in news) return `${startLine('--sample')}   (fills the site, which is empty)`;
  return 'loaded' in news ? `loaded: ${news.loaded}` : `not loaded: ${news.refused}`;
}

/** Path of a list that anonymous callers may read: the one with the most fields; the index when there is none. */
function example({ byName }: ModelSet): string {
  const readable = [...byName.values()].filter(
    (model) => model.table && !model.parent && model.operations.has('list') && mayList(model),
  );
  return readable.sort((a, b) => b.fields.size - a.fields.size)[0]?.path ?? '';
}

// A list of which anonymous callers can read no row is not a useful example.
function mayList({ policy, rules }: ResourceModel): boolean {
  const needed = policy.list.filter(({ param }) => param === undefined).map(({ needs }) => needs(ANONYMOUS));
  const read = rules.get('read')?.(ANONYMOUS);
  return [...needed, ...(read ? [read] : [])].every(({ op }) => op !== 'false');
}

function secret(password: string | undefined): string {
  return password === undefined ? '' : ` / ${password}   (shown once: keep it)`;
}
