// `explain <resource>`: the compiled model of a schema file, as text.
import type { ResourceModel } from '../model/model.js';
import type { ParamModel } from '../model/list.js';
import { PHASES } from '../model/hooks.js';
import { CONTEXTS, OPERATIONS } from '../model/schema/schema.js';
import type { Actor } from '../model/actor.js';
import type { ColumnModel, IndexModel, TableModel } from '../model/table.js';
import type { FieldModel } from '../model/field.js';
import { predicateText } from './predicate-text.js';

/**
 * The compiled resource: fields by context, parameters, traits by phase, table, indexes; with an actor, their rights.
 */
export function explainResource(model: ResourceModel, actor?: { name: string; actor: Actor }): string {
  const parts = [
    `${model.labels.singular}: ${model.description}`,
    section('Operations', [
      `${model.route}: ${[...model.operations].join(', ')}`,
      ...(model.schema.parent?.across ? [`/${model.path}: list, of all parents`] : []),
    ]),
    section('Fields', table([...model.fields.values()].filter((field) => !field.hidden).map(fieldRow))),
    section('List parameters', table([...model.listParams.values()].map(paramRow))),
    section('Results', resultsOf(model)),
    model.found ? '' : section('Orders', [ordersOf(model)]),
    section('Traits by phase', phasesOf(model)),
    section('Actions', actionsOf(model, actor?.actor)),
    section('Permissions', permissionsOf(model)),
    ...(actor ? [section(`As ${actor.name}`, rulesOf(model, actor.actor))] : []),
    ...(actor ? [section(`Fields as ${actor.name}`, rightsOf(model, actor.actor))] : []),
    ...(model.table ? tableSections(model.table) : []),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function ordersOf({ list }: ResourceModel): string {
  const shown = (name: string) => (name === list.defaultOrderby ? `${name} (default, ${list.defaultOrder})` : name);
  return [...list.orderings.keys()].map(shown).join(', ');
}

function phasesOf({ hooks }: ResourceModel): string[] {
  const used = PHASES.filter((phase) => hooks[phase].length > 0);
  return used.map((phase) => `${phase}: ${hooks[phase].map((hook) => hook.trait).join(', ')}`);
}

function permissionsOf({ operations, policy }: ResourceModel): string[] {
  return OPERATIONS.filter((kind) => operations.has(kind)).flatMap((kind) =>
    policy[kind].map((step) => `${kind}: ${condition(step)}else ${step.error}`),
  );
}

function rulesOf({ rules }: ResourceModel, actor: Actor): string[] {
  return [...rules].map(([name, rule]) => `${name}: ${predicateText(rule(actor))}`);
}

function tableSections({ name, columns, indexes }: TableModel): string[] {
  const length = (column: ColumnModel) => (column.length ? `(${column.length})` : '');
  const kind = (index: IndexModel) => `${index.unique ? 'unique ' : ''}${index.fulltext ? 'full text ' : ''}`;
  return [
    section(
      `Table ${name}`,
      [...columns.values()].map((column) => `${column.name} ${column.kind}${length(column)}`),
    ),
    section(
      'Indexes',
      [...indexes.values()].map((index) => `${kind(index)}(${index.columns.join(', ')})`),
    ),
  ];
}

/** Actions; those of extensions with their parameters and permissions. */
function actionsOf({ actions, ownActions, listOf }: ResourceModel, actor: Actor | undefined): string[] {
  const known = [...actions].map(([name, { description }]) => `${name} (item): ${description}`);
  const own = [...(listOf ? [] : ownActions.values())].map(({ name, on, params, description, needs, error }) => {
    const takes = [...params.values()]
      .map((param) => (param.schema.required ? `${param.name}!` : param.name))
      .join(', ');
    const may = actor ? predicateText(needs(actor)) : `else ${error}`;
    return `${name} (${on})${takes === '' ? '' : ` takes ${takes}`}: ${description} ${may}`;
  });
  return [...known, ...own];
}

/** The resources that the results of each type come from. */
function resultsOf({ found }: ResourceModel): string[] {
  return [...(found?.types ?? [])].map(([type, { sources }]) => {
    const items = sources.map(({ model, subtype, title }) => `${subtype} (${model.name}, title: ${title?.name ?? ''})`);
    return `${type}: ${items.join(', ') || 'nothing yet'}`;
  });
}

/** The rights of a caller to the fields and members that have their own rules. */
function rightsOf({ rights }: ResourceModel, actor: Actor): string[] {
  return (['read', 'write'] as const).flatMap((kind) =>
    (rights?.[kind] ?? []).map((right) => `${kind} ${right.name}: ${predicateText(right[kind]!(actor))}`),
  );
}

function fieldRow(field: FieldModel): string[] {
  const marks = [field.readOnly ? 'read only' : '', field.required ? 'required' : ''].filter(Boolean).join(', ');
  const type = field.schema.customType ?? field.type;
  return [field.name, type, CONTEXTS.filter((context) => field.contexts.has(context)).join(' '), marks];
}

function paramRow({ name, schema, arg }: ParamModel): string[] {
  return [name, schema.filter ?? '', typeText(arg), defaultText(schema.default)];
}

function typeText(schema: { type?: string | string[]; enum?: unknown[] }): string {
  return schema.enum ? schema.enum.join('|') : [schema.type ?? ''].flat().join('|');
}

function defaultText(value: unknown): string {
  return value === undefined ? '' : `default ${JSON.stringify(value)}`;
}

function condition(step: ResourceModel['policy']['list'][number]): string {
  const names = step.field?.join(' or ') ?? step.param;
  if (!names) return '';
  const values = step.in ? ` in ${step.in.join(', ')}` : step.notIn ? ` beyond ${step.notIn.join(', ')}` : '';
  return `${names}${values}${step.notSelf ? ' other than the caller' : ''}${step.changed ? ' changed' : ''}: rule must hold, `;
}

function section(title: string, lines: string[]): string {
  return lines.length > 0 ? `${title}\n${lines.map((line) => `  ${line}`).join('\n')}` : '';
}

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
