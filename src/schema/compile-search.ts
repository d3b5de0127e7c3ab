// Sort keys and search text: folded copies of text columns, kept in step by the draft (decisions 6). Called by compile.
import type { FieldModel, ResourceModel } from '../model/model.js';
import type { Report } from '../model/registry.js';
import { fold } from '../text/fold.js';
import { addColumn, addIndex, SORT_LENGTH } from './compile-tables.js';

const TEXTS = new Set(['string', 'text', 'rendered']);

type Derive = ResourceModel['derive'][number];

/** Column a field sorts by; texts get a folded key, kept by `derive`. */
export function sortColumn(field: FieldModel, model: ResourceModel, derive: Derive[]): string | undefined {
  if (!field.column || !TEXTS.has(field.type) || field.schema.enum) return field.column;
  const source = field.column;
  const column = `${source}_sort`;
  if (field.sortColumn !== column) {
    field.sortColumn = column;
    addColumn(model.table!, {
      name: column,
      kind: 'varchar',
      length: SORT_LENGTH,
      default: '',
      nullable: false,
      binary: true,
      derived: true,
      ...(field.schema.renamedFrom ? { renamedFrom: `${field.schema.renamedFrom}_sort` } : {}),
    });
    derive.push((draft) => {
      if (draft.row[source] !== undefined)
        draft.row[column] = [...fold(String(draft.row[source] ?? ''))].slice(0, SORT_LENGTH).join('');
    });
  }
  return column;
}

/** Folded copy of a whole text, for substring filters. */
export function searchColumn(field: FieldModel, model: ResourceModel, derive: Derive[]): string {
  const source = field.column!;
  if (field.searchColumn) return field.searchColumn;
  const column = (field.searchColumn = `${source}_search`);
  addColumn(model.table!, {
    name: column,
    kind: 'text',
    default: '',
    nullable: false,
    derived: true,
    ...(field.schema.renamedFrom ? { renamedFrom: `${field.schema.renamedFrom}_search` } : {}),
  });
  derive.push((draft) => {
    if (draft.row[source] !== undefined) draft.row[column] = fold(String(draft.row[source] ?? ''));
  });
  return column;
}

/** Columns of `search`: one combined text for words, one a field for phrases. */
export function compileSearch(model: ResourceModel, derive: Derive[], report: Report): string[] | undefined {
  const written = model.schema.search;
  if (!written) return undefined;
  const fields = written.fields
    .map((name) => model.fields.get(name))
    .filter((field): field is FieldModel => Boolean(field?.column));
  if (fields.length < written.fields.length)
    report(['search', 'fields'], 'every searched field needs a column of its own');
  if ((written.mode ?? 'terms') === 'phrase') return fields.map((field) => phraseColumn(field, model, derive));
  const sources = fields.map((field) => field.column!);
  const table = model.table!;
  addColumn(table, { name: 'search_text', kind: 'text', default: '', nullable: false, derived: true });
  addIndex(table, ['search_text'], { fulltext: true });
  derive.push((draft, _op, current) => {
    if (!sources.some((source) => draft.row[source] !== undefined)) return;
    draft.row['search_text'] = fold(sources.map((source) => draft.row[source] ?? current?.[source] ?? '').join('\n'));
  });
  const heads = fields.slice(0, -1).map((field) => searchHead(field, model, derive));
  return ['search_text', ...heads];
}

/** Ids are compared whole and slugs are folded already; texts get a folded copy. */
function phraseColumn(field: FieldModel, model: ResourceModel, derive: Derive[]): string {
  return field.type === 'id' || field.type === 'slug' ? field.column! : searchColumn(field, model, derive);
}

function searchHead(field: FieldModel, model: ResourceModel, derive: Derive[]): string {
  return field.type === 'rendered' && field.schema.pipeline !== 'title'
    ? searchColumn(field, model, derive)
    : sortColumn(field, model, derive)!;
}
