// The sample content that comes with the program: lines of `examples/sample/`, loaded into a site that is still empty.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ContentWriter } from '../../engine/content-writer.js';
import { nearest } from '../../text/nearest-name.js';
import { LoadError } from './load-problems.js';
import { loadSite } from './load-site.js';

const FOLDER = fileURLToPath(new URL('../../../examples/sample/', import.meta.url));
const ENDING = '.jsonl';

/** Names of the resources that the sample has content for; empty where the program was installed without the sample. */
export const SAMPLE_RESOURCES: readonly string[] = (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length));

/** What a start reports about the sample content: it can be loaded, it was loaded, or why it was not although requested. */
export type SampleNews = { offered: true } | { loaded: string } | { refused: string };

/**
 * Loads the sample content where it is `wanted`, the site has its resources and none of them has an item beyond accounts
 * and seeds. Undefined when there is nothing to say.
 */
export async function sampleNews(writer: ContentWriter, wanted: boolean): Promise<SampleNews | undefined> {
  // An offer must not prevent the start, whatever state the tables are in.
  const unknown = (error: unknown) => (wanted ? Promise.reject(error as Error) : 'the tables cannot be read');
  const refused = lacking(writer) ?? (await filled(writer).catch(unknown));
  if (refused !== undefined) return wanted ? { refused } : undefined;
  if (!wanted) return { offered: true };
  try {
    const { summary } = await loadSite({ source: FOLDER, writer, nearest });
    return { loaded: [...summary.counts].map(([name, { created }]) => `${name} ${created}`).join(', ') };
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return { refused: `it does not fit this site: ${error.problems[0]}` };
  }
}

function lacking({ models }: ContentWriter): string | undefined {
  if (SAMPLE_RESOURCES.length === 0) return `there is no ${FOLDER}`;
  const missing = SAMPLE_RESOURCES.filter((name) => !models.byName.get(name)?.table);
  return missing.length > 0 ? `the schemas have no ${missing.join(', ')}` : undefined;
}

async function filled({ models, store }: ContentWriter): Promise<string | undefined> {
  for (const name of SAMPLE_RESOURCES) {
    const { table, seeds, faces, rowScope } = models.byName.get(name)!;
    if (seeds.length > 0 || faces.accounts) continue;
    if (await store.reader.first(table!.name, ['id'], rowScope)) return `the site has content already (${name})`;
  }
  return undefined;
}
