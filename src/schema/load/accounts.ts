// The trait that makes the items of a resource the accounts of the site, and the accounts of a folder without one.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { traits } from '../../traits/registry.js';
import { parseSchema, type SchemaFile } from './load.js';
import { record, text } from './as-json.js';

/** Name of the file in problems. */
const FILE = '(accounts of the engine)';

const [accountTrait] = [...traits.values()].filter(({ accounts }) => accounts !== undefined);

/** Name of the trait, for messages. */
export const ACCOUNT_TRAIT = accountTrait!.name;

/** Whether the items of a resource are accounts. */
export function holdsAccounts(schema: Pick<ResourceSchema, 'traits'>): boolean {
  return schema.traits?.[ACCOUNT_TRAIT] !== undefined;
}

/** The files of a folder, with a resource of accounts added when none of them has any. */
export function withAccounts(files: SchemaFile[]): SchemaFile[] {
  const have = files.some(({ schema }) => ACCOUNT_TRAIT in record(record(schema)['traits']));
  if (files.length === 0 || have) return files;
  const taken = new Set(files.flatMap(({ schema }) => namesOf(record(schema))));
  const names = ['', 'site-', 'engine-'].map((start) => `${start}${ACCOUNT_TRAIT}`);
  const name = names.find((word) => !taken.has(word) && !taken.has(`${word}s`) && !taken.has(tableOf(`${word}s`)));
  if (name === undefined) return files;
  return [...files, parseSchema(FILE, JSON.stringify(accountTrait!.accounts!.standIn(name), null, 2)).file];
}

/** Its name, its path and its table. */
function namesOf({ name, path, storage }: Record<string, unknown>): (string | undefined)[] {
  const segment = text(path);
  const table = text(record(storage)['table']) ?? (segment === undefined ? undefined : tableOf(segment));
  return [text(name), segment, table];
}

function tableOf(path: string): string {
  return path.replaceAll('-', '_');
}
