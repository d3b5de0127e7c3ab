// Stages compile, link and freeze: extended schemas become models, with their traits applied.
import type { Refusal } from '../../model/permissions.js';
import { fieldTypes } from '../../fields/registry.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { PHASES, type Hooks, type Phase } from '../../model/hooks.js';
import { CONTEXTS, type OperationKind, type ResourceSchema } from '../../model/schema/schema.js';
import { traits } from '../../traits/registry.js';
import { checkModel } from '../check/check-model.js';
import { checkStorage } from '../check/check-conflicts.js';
import { compileLinks } from './compile-links.js';
import { compilePermissions } from './compile-policy.js';
import { compileRights, inheritRights } from './compile-rights.js';
import { compileRuleSchema } from './compile-rule.js';
import { addIndexes, claimRows, noteReferences, makeIndexNamesUnique } from './compile-tables.js';
import { linkLists } from './compile-lists.js';
import { linkViews } from './compile-views.js';
import { linkFound } from './compile-found.js';
import { linkOwned, linkQuery } from './compile-query.js';
import { linkStatic } from './compile-static.js';
import { linkSettings } from './compile-settings.js';
import { linkUnique } from './compile-unique.js';
import { checksThrough } from '../grammar/safe-steps.js';
import { applySettings } from './apply-settings.js';
import { startModel, VERSION, type Draftable } from './compile-resource.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import type { Derive } from '../../model/field.js';
import { SETTINGS, type SiteSettings } from '../../model/site/site-settings.js';
import type { Report } from '../../model/option-check.js';

/** Kinds of columns that hold texts of any length. */
const LONG: readonly ColumnModel['kind'][] = ['text', 'json'];

/** A schema with the function that reports problems in its file. */
export interface SchemaSource {
  schema: ResourceSchema;
  report: Report;
}

/**
 * Compiles extended schemas into frozen models. Problems go to each source's `report`; the result is only usable
 * without any.
 */
export function compileModels(sources: readonly SchemaSource[], settings: Readonly<SiteSettings> = SETTINGS): ModelSet {
  const { site, pairs } = startModels(sources, settings);
  linkFieldsAndRights(pairs, settings);
  for (const { model } of pairs) linkFound(model);
  for (const { model, report, derive } of pairs) {
    linkLists(model, derive, report);
    linkUnique(model, derive, report);
  }
  for (const { model, report } of pairs) checkStorage(model, report);
  for (const { model } of pairs) linkStatic(model);
  for (const { model, report } of pairs) linkTraits(model, report);
  for (const { model } of pairs) finish(model);
  for (const { model, report } of pairs) linkQuery(model, report);
  for (const { model } of pairs) linkOwned(model);
  for (const { model, report } of pairs) linkViews(model, report);
  nameTypes(pairs.flatMap(({ model }) => [model, ...(model.views ?? [])]).sort(byView));
  for (const { model, report } of pairs) linkAcross(model, report);
  for (const { model } of pairs) noteReferences(model, site.tables);
  makeIndexNamesUnique(site.tables);
  return site;
}

/** A model with the schema that it is made from. */
interface Pair extends SchemaSource {
  model: Draftable<ResourceModel>;
  /** The schema before the settings were applied. */
  written: ResourceSchema;
  derive: Derive[];
}

/** Compiles each schema by itself, and registers the models by name and by table. */
function startModels(sources: readonly SchemaSource[], settings: Readonly<SiteSettings>) {
  const tables = new Map<string, TableModel>();
  const byName = new Map<string, ResourceModel>();
  const ofTable = new Map<string, ResourceModel[]>();
  const site: ModelSet = { byName, tables, ofTable, timezone: settings.timezone };
  const started = sources.map(({ schema, report }) => ({
    schema: applySettings(schema, settings, report),
    report,
    derive: [] as Derive[],
  }));
  const models = started.map(({ schema, derive }) => startModel(schema, site, tables, derive));
  for (const model of models) {
    byName.set(model.name, model);
    if (model.table) ofTable.set(model.table.name, [...(ofTable.get(model.table.name) ?? []), model]);
  }
  nameTypes(models);
  for (const [name, sharing] of ofTable) claimRows(tables.get(name)!, sharing);
  const pairs: Pair[] = started.map((source, index) => ({
    ...source,
    written: sources[index]!.schema,
    model: models[index]!,
  }));
  return { site, pairs };
}

/** Links parents, fields, settings and faces, then the permissions, which read all of them. */
function linkFieldsAndRights(pairs: readonly Pair[], settings: Readonly<SiteSettings>): void {
  for (const { model, report } of pairs) linkParent(model, report);
  for (const { model } of pairs) linkFields(model);
  linkSettings(pairs, settings);
  for (const { model } of pairs) linkFaces(model);
  for (const { model, report } of pairs) checkModel(model, report);
  for (const { model, report, schema } of pairs) {
    compilePermissions(model, schema.permissions ?? {}, report);
    compileRights(model, report);
    linkMeta(model, report);
    linkChecks(model, report);
  }
  for (const { model } of pairs) inheritRights(model);
}

function linkParent(model: Draftable<ResourceModel>, report: Report): void {
  const written = model.schema.parent;
  if (!written) return;
  const parent = model.site.byName.get(written.resource);
  const field = model.fields.get(written.field);
  if (!parent || !field?.column)
    return report(['parent'], 'needs a known resource and a reference field of this resource');
  const param = written.param ?? 'parent_id';
  model.parent = {
    model: parent,
    param,
    field,
    notFound: written.errors?.notFound ?? parent.errors.notFound,
    ...(written.errors?.mismatch ? { mismatch: written.errors.mismatch } : {}),
    ...(written.hides === false ? {} : { hides: checksParent(model) ? 'last' : 'first' }),
  };
  model.route = `/${parent.path}/:${param}/${model.path}`;
}

/** Whether the rule `read` of a nested resource checks the parent itself. */
function checksParent({ schema }: ResourceModel): boolean {
  const { rules = {} } = schema.permissions ?? {};
  return checksThrough(rules['read'], schema.parent!.field, rules);
}

/** Saved queries after resources, whose names come first. */
const byView = (one: ResourceModel, other: ResourceModel): number => Number(!!one.view) - Number(!!other.view);

/** Of names that differ only in punctuation, the later ones get an underscore. */
function nameTypes(models: readonly ResourceModel[]): void {
  const taken = new Set<string>();
  for (const model of models) {
    while (taken.has(model.typeName)) model.typeName += '_';
    taken.add(model.typeName);
  }
}

/** The list of a nested resource across its parents is that of the same resource without one. */
function linkAcross(model: Draftable<ResourceModel>, report: Report): void {
  if (!model.parent || !model.schema.parent?.across) return;
  const taken = [...model.site.byName.values()].find(
    (other) => other !== model && other.path === model.path && (!other.parent || other.schema.parent?.across),
  );
  if (taken) report(['parent', 'across'], `/${model.path} is the path of resource "${taken.name}" already`);
  if (!model.operations.has('list')) report(['parent', 'across'], 'the resource offers no list');
  const { parent: _parent, ...rest } = model;
  const route = `/${model.path}`;
  model.across = { ...rest, route, operations: new Set(['list']), listOf: model };
  if (model.views) model.across.views = model.views.map((view) => viewAcross(view, route));
}

/** A saved query of the items of all parents. */
function viewAcross({ parent: _parent, ...view }: ResourceModel, route: string): ResourceModel {
  return { ...view, route: `${route}/views/${view.view!.name}` };
}

function linkFields(model: ResourceModel): void {
  for (const field of model.fields.values()) fieldTypes.get(field.type)?.link?.(field, model);
}

/** Compiles rules of meta keys, which apply to the item that has them. */
function linkMeta(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    for (const key of field.meta?.keys ?? []) {
      const needs = field.schema.keys?.[key.key]?.needs;
      if (needs !== undefined)
        key.needs = compileRuleSchema(needs, model, ['fields', field.name, 'keys', key.key, 'needs'], report);
    }
  }
}

function linkChecks(model: Draftable<ResourceModel>, report: Report): void {
  model.checks = (model.schema.checks ?? []).map(({ rule, message, fields }, index) => ({
    rule: compileRuleSchema(rule, model, ['checks', index, 'rule'], report),
    message,
    fields,
  }));
}

/** Before the hooks: those of one resource read the faces of others. */
function linkFaces(model: Draftable<ResourceModel>): void {
  for (const [name, options] of model.traits) {
    const { faces, opens = [] } = traits.get(name) ?? {};
    model.faces = { ...model.faces, ...faces?.(model, options) };
    model.openings = [...new Set([...model.openings, ...opens])];
  }
  const permalink = [...model.fields.values()].find((field) => field.permalink);
  if (permalink) model.permalink = permalink;
}

function linkTraits(model: Draftable<ResourceModel>, report: Report): void {
  const hooks = Object.fromEntries(PHASES.map((phase) => [phase, [] as { trait: string; run: unknown }[]])) as Record<
    Phase,
    { trait: string; run: never }[]
  >;
  const columns = new Set<string>();
  for (const [name, options] of model.traits) {
    const trait = traits.get(name);
    if (!trait) continue;
    trait.link?.(model, options);
    if (!trait.sideBySide) model.sideBySide = false;
    for (const column of trait.reads?.(model, options) ?? []) columns.add(column);
    if (trait.adopt) model.adoptions = new Map([...model.adoptions, [name, trait.adopt(model, options)]]);
    if (trait.audit) model.audits = [...model.audits, trait.audit(model, options)];
    const refusals = typeof trait.codes === 'function' ? trait.codes(model, options) : (trait.codes ?? {});
    for (const [kind, codes] of Object.entries(refusals) as [OperationKind, readonly Refusal[]][])
      model.codes = { ...model.codes, [kind]: [...(model.codes[kind] ?? []), ...codes] };
    model.actions = new Map([...model.actions, ...Object.entries(trait.actions?.(model, options) ?? {})]);
    model.tasks = new Map([...model.tasks, ...Object.entries(trait.tasks?.(model, options) ?? {})]);
    const own: Partial<Hooks> = trait.hooks?.(model, options) ?? {};
    for (const phase of PHASES) {
      const kinds = phase === 'authorize' && trait.authorizes ? { kinds: trait.authorizes } : {};
      if (own[phase]) hooks[phase].push({ trait: name, run: own[phase] as never, ...kinds });
    }
  }
  model.hooks = hooks;
  model.traitColumns = [...columns];
  model.links = [...model.links, ...compileLinks(model, report)];
}

function finish(model: Draftable<ResourceModel>): void {
  if (!model.table) return;
  addIndexes(model);
  for (const column of model.partition) addToCounted(model.table, [...Object.keys(model.discriminator), column]);
  const own = [...model.fields.values()].flatMap((field) => [
    ...field.columns.map((column) => column.name),
    ...field.reads,
  ]);
  const linked = model.links.flatMap((link) => link.reads);
  const base = [
    'id',
    VERSION,
    ...Object.keys(model.discriminator),
    ...model.traitColumns,
    ...(model.parent ? [model.parent.field.column!] : []),
  ];
  const exists = (name: string) => model.table!.columns.has(name);
  model.allColumns = [...new Set([...base, ...own, ...linked])].filter(exists);
  model.lightColumns = model.allColumns.filter((name) => !LONG.includes(model.table!.columns.get(name)!.kind));
  model.columns = Object.fromEntries(
    CONTEXTS.map((context) => {
      const shown = [...model.fields.values()]
        .filter((field) => field.contexts.has(context))
        .flatMap((field) => field.reads);
      return [context, [...new Set([...base, ...shown, ...linked])].filter(exists)];
    }),
  ) as unknown as ResourceModel['columns'];
}

function addToCounted(table: TableModel, columns: string[]): void {
  for (const column of columns) if (!table.counted.includes(column)) table.counted.push(column);
}
