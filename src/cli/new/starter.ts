// The schema file that `new` writes: made from short forms of fields, and written only if the compiler accepts it.
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError, type Problem } from '../../errors/problem.js';
import { fieldTypes } from '../../fields/registry.js';
import type { ResourceModel } from '../../model/model.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import type { PermissionPreset } from '../../model/schema/permission-schema.js';
import { compileFiles } from '../../schema/compile-site.js';
import { loadSchemas, parseSchema } from '../../schema/load/load.js';
import type { ShortField } from './short-forms.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { FieldModel } from '../../model/field.js';
import { textOf } from './schema-text.js';

/** The JSON Schema with which editors complete and check schema files. */
const GRAMMAR = fileURLToPath(new URL('../../../docs/resource.schema.json', import.meta.url));
const COMMENT =
  'Descriptions are shown in OPTIONS, in the OpenAPI document and next to forms. Every key, field type, filter, trait and ' +
  'permission rule is explained in docs/schemas.md of the program.';

/** The options of a new resource. */
export interface Beginning {
  name: string;
  /** Folder of the other schema files. */
  directory: string;
  fields: readonly ShortField[];
  permissions: PermissionPreset;
}

/**
 * The text of the schema file.
 * @throws StartupError when the folder with the new file would not pass `check`
 */
export function schemaText(beginning: Beginning): string {
  const schema = plain(beginning);
  const model = compiled(schema, beginning);
  const texts = [...model.fields.values()].filter((field) => schema.fields[field.name] && isText(field));
  const [title] = texts.filter(({ schema: { required } }) => required);
  const written = schema.fields;
  for (const [name, field] of Object.entries(written)) {
    if (isLink(field) || field.enum) written[name] = { ...field, filterable: 'in' } as FieldSchema;
  }
  if (title) Object.assign(schema, { traits: { sluggable: { from: title.name } } });
  if (texts.length > 0) schema.search = { fields: texts.map(({ name }) => name) };
  const orderby = ['id', ...Object.keys(written).filter((name) => accepts(schema, beginning, name))];
  schema.list = { orderby };
  if (title && orderby.includes(title.name))
    Object.assign(schema.list, { defaultOrderby: title.name, defaultOrder: 'asc' });
  compiled(schema, beginning);
  return textOf(schema);
}

/** `category` as `categories`, for the path. */
export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

function plain({ name, directory, fields, permissions }: Beginning): ResourceSchema {
  const label = name.replaceAll(/[_-]/g, ' ');
  return {
    $schema: relative(directory, GRAMMAR).split(sep).join('/'),
    $comment: COMMENT,
    name,
    path: pluralOf(name),
    description: `What a ${label} is.`,
    fields: Object.fromEntries(
      fields.map((field) => [field.name, { ...field.schema, description: described(field, label) }]),
    ),
    // A placeholder that is replaced by rules for what a preset leaves open.
    permissions: permissions as never,
  };
}

function described({ name, schema }: ShortField, owner: string): string {
  const label = name.replaceAll('_', ' ');
  const start = label[0]!.toUpperCase() + label.slice(1);
  return `${start} of the ${owner}${schema.required ? '; required' : ''}.`;
}

/** The model of the new resource, compiled with the other files of its folder. */
function compiled(schema: ResourceSchema, { name, directory }: Beginning): ResourceModel {
  const others = existsSync(directory) ? withoutEmpty(loadSchemas(directory)) : { files: [], problems: [] };
  const { file, problems } = parseSchema(`${name}.json`, textOf(schema));
  const models = compileFiles({ files: [...others.files, file], problems: [...others.problems, ...problems] });
  return models.byName.get(schema.name)!;
}

// A folder without schema files is a problem for `check`, but not here.
function withoutEmpty(loaded: ReturnType<typeof loadSchemas>): ReturnType<typeof loadSchemas> {
  return loaded.files.length === 0 ? { files: [], problems: [] } : loaded;
}

/** Whether the compiler lets lists be ordered by a field. */
function accepts(schema: ResourceSchema, beginning: Beginning, name: string): boolean {
  try {
    compiled({ ...schema, list: { orderby: ['id', name] } }, beginning);
    return true;
  } catch (error) {
    if (!(error instanceof StartupError) || !error.problems.every(({ path }) => path?.startsWith('list.'))) throw error;
    return false;
  }
}

/** Whether a field holds text that people write and search for. */
function isText({ columns, contexts, schema }: FieldModel): boolean {
  const [column] = columns;
  if (!column || contexts.size === 0 || schema.enum || schema.format) return false;
  const json = fieldTypes.get(schema.type)?.value(schema);
  return json?.type === 'string' && json.format === undefined && (column.kind === 'varchar' || column.kind === 'text');
}

function isLink({ type }: FieldSchema): boolean {
  return fieldTypes.get(type)?.keys['to'] !== undefined;
}

/** The message about problems: those of the new file or, if it has none, those of the other files. */
export function refusal(problems: readonly Problem[], name: string): string {
  const own = problems.filter(({ file }) => file === `${name}.json`);
  const shown = (own.length > 0 ? own : problems).map(({ file, path, message, hint }) => {
    const place = own.length > 0 ? (path ?? '') : `${file} ${path ?? ''}`;
    return `  ${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
  const reason = own.length > 0 ? 'Nothing is written:' : 'Nothing is written: the other schema files have problems.';
  return [reason, ...shown].join('\n');
}
