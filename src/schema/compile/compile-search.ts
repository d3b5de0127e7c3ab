// Sort keys and search texts: folded copies of text columns, updated by the draft.
import { valueAfter } from '../../model/query.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { guardOf } from '../../model/functions/readers.js';
import { runText } from '../../model/runtime/texts.js';
import { fold } from '../../text/fold.js';
import { addColumn, addIndex, SORT_LENGTH } from './compile-tables.js';
import type { Derive, FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

const TEXTS = new Set(['string', 'text', 'rendered', 'email', 'uri']);

/** Number of characters that a sort key is computed from; sufficient, because folding removes little but accents. */
const SORT_SOURCE = 4096;

/** Kinds of columns that are texts in the database, too. */
const LOWERED = new Set<string>(['text', 'varchar']);
/** Longer texts have a folded copy: comparing them would hold the event loop. */
const MAX_COMPARED = 64 * 1024;

/** Sort column of a field; texts get a folded key, updated by `derive`. */
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
      if (draft.row[source] !== undefined) draft.row[column] = sortKey(String(draft.row[source] ?? ''));
    });
  }
  return column;
}

/** The folded beginning of a text. */
function sortKey(text: string): string {
  const beginning = text.length > SORT_SOURCE ? text.slice(0, SORT_SOURCE).toWellFormed() : text;
  return [...fold(beginning)].slice(0, SORT_LENGTH).join('');
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
  derive.push((draft, op) => {
    if (draft.row[source] !== undefined) draft.row[column] = runText(op, fold, String(draft.row[source] ?? ''));
  });
  return column;
}

/** Columns that `search` matches, for every reader and for callers who may use the context `edit`. */
export interface SearchColumns {
  columns: string[];
  editors: string[];
  /** Columns of single fields that have rules for reading. */
  ruled: { column: string; guard: RuleModel }[];
  /** Fields whose texts are combined in a column. */
  sources: Map<string, FieldModel[]>;
}

/** Columns of `search`: one combined text for terms, one per field for phrases. */
export function compileSearch(
  model: ResourceModel,
  derive: Derive[],
  report: Report,
  open: boolean,
): SearchColumns | undefined {
  const written = model.schema.search;
  if (!written) return undefined;
  const named = written.fields
    .map((name) => model.fields.get(name))
    .filter((field): field is FieldModel => Boolean(field?.column));
  if (named.length < written.fields.length) report(['search', 'fields'], 'every searched field needs its own column');
  const ruled = named.filter((field) => field.readRules && (open || field.readers !== 'nobody'));
  const plain = named.filter((field) => !field.readRules);
  const fields = open ? plain : plain.filter((field) => field.readers !== 'nobody');
  const shown = open ? fields : fields.filter((field) => field.readers === 'everyone');
  const guarded = fields.filter((field) => !shown.includes(field));
  const ruledColumns = ruled.map((field) => ({
    column: phraseColumn(field, model, derive),
    guard: guardOf([field], model, open)!,
  }));
  if ((written.mode ?? 'terms') === 'phrase') {
    const columns = (some: FieldModel[]) => some.map((field) => phraseColumn(field, model, derive));
    return { columns: columns(shown), editors: columns(guarded), ruled: ruledColumns, sources: new Map() };
  }
  joinTexts('search_text', shown, model, derive);
  if (guarded.length > 0) joinTexts('search_text_edit', fields, model, derive);
  const heads = shown.slice(0, -1).map((field) => searchHead(field, model, derive));
  return {
    columns: ['search_text', ...heads],
    editors: guarded.length > 0 ? ['search_text_edit'] : [],
    ruled: ruledColumns,
    sources: new Map([
      ['search_text', shown],
      ['search_text_edit', fields],
    ]),
  };
}

function joinTexts(name: string, fields: FieldModel[], model: ResourceModel, derive: Derive[]): void {
  const sources = fields.map((field) => field.column!);
  const table = model.table!;
  addColumn(table, { name, kind: 'text', default: '', nullable: false, derived: true });
  const joins = sources.length > 0 && sources.every((source) => LOWERED.has(table.columns.get(source)!.kind));
  const index = addIndex(table, [name], { fulltext: true, joins: [] });
  if (joins) index.joins!.push({ where: model.discriminator, columns: sources });
  derive.push((draft, op, current) => {
    // Without any sources, the text of former ones must be removed.
    if (sources.length > 0 && !sources.some((source) => draft.row[source] !== undefined)) return;
    // Folded separately, so that a single large text is folded only once; nothing combines across a line break.
    const texts = sources.map((source) => String(valueAfter(draft.row, current, source) ?? ''));
    const folded = texts.map((text) => runText(op, fold, text));
    const redundant = joins && op.site?.lowersTexts && texts.every((text, at) => isLowered(text, folded[at]!));
    draft.row[name] = redundant ? '' : folded.join('\n');
  });
}

/** Whether folding a text did nothing but what SQL's LOWER does in SQLite: it lower-cases the letters A to Z. */
function isLowered(text: string, folded: string): boolean {
  return text.length === folded.length && text.length <= MAX_COMPARED && lowerAscii(text) === folded;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
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
