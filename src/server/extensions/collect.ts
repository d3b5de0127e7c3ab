// Checks the exports of extensions and combines them for one site.
import type { Problem } from '../../errors/problem.js';
import { applyImportedValues } from '../../engine/writes/draft.js';
import { computedFunctions } from '../../fields/computed/registry.js';
import { fieldTypes } from '../../fields/registry.js';
import { filters } from '../../filters/registry.js';
import { PHASES, type Hooks, type Phase } from '../../model/hooks.js';
import type { Draft, Operation } from '../../model/operation.js';
import {
  NO_ADDITIONS,
  type AddedAction,
  type AddedHooks,
  type AddedListener,
  type Additions,
} from '../../model/registered.js';
import type { ComputedFunction, FieldType, Filter, Pipeline } from '../../model/registry.js';
import { pipelines } from '../../values/pipelines.js';
import { traits } from '../../traits/registry.js';
import type {
  ActionCall,
  ActionDefinition,
  BasedFieldType,
  CommandDefinition,
  Extension,
  HooksDefinition,
  JobDefinition,
  ListenerDefinition,
  NamedPipeline,
} from './define.js';
import { basedFieldType } from './field-type.js';
import { blaming, guarded, guardedParts, guardedSync, type OnSlow } from './guarded.js';
import type { ImportedExtension } from './import-files.js';
import type { ExtensionFile } from './place.js';
import { ShapeCheck } from './shape-check.js';
import type { Trait } from '../../model/trait.js';

/** A part of an extension with its file. */
export interface Part<T> {
  file: ExtensionFile;
  definition: T;
}

/** What the extensions of one site add. */
export interface ExtensionSet {
  /** The additions to the registries that schema files are compiled with. */
  readonly additions: Additions;
  readonly jobs: readonly Part<JobDefinition>[];
  readonly listeners: readonly Part<ListenerDefinition>[];
  readonly commands: readonly Part<CommandDefinition>[];
  readonly modules: readonly NonNullable<Extension['module']>[];
}

/** Position of the operation among the arguments of phases that decide what a response shows. */
const READING: Partial<Record<Phase, number>> = { authorize: 0, scope: 1, present: 2 };

/** Combines extensions; adds their problems to `problems`. */
export function collectExtensions(
  imported: readonly ImportedExtension[],
  problems: Problem[],
  onSlow: OnSlow,
): ExtensionSet {
  const collection = new Collection(problems, onSlow);
  for (const { file, extension } of imported) collection.add(file, extension);
  // One object for all sites without extensions, so that they share everything that is derived from the registries
  // alone.
  return imported.length === 0 ? { ...collection, additions: NO_ADDITIONS } : collection;
}

class Collection implements ExtensionSet {
  readonly jobs: Part<JobDefinition>[] = [];
  readonly listeners: Part<ListenerDefinition>[] = [];
  readonly commands: Part<CommandDefinition>[] = [];
  readonly modules: NonNullable<Extension['module']>[] = [];
  private readonly fields = new Map<string, FieldType>();
  private readonly functions = new Map<string, ComputedFunction>();
  private readonly filters = new Map<string, Filter>();
  private readonly behaviours = new Map<string, Trait>();
  private readonly pipelines = new Map<string, Pipeline>();
  private readonly hooks: AddedHooks[] = [];
  private readonly actions: AddedAction[] = [];
  /** The listeners of the extensions. */
  private readonly heard: AddedListener[] = [];
  private readonly linked: Problem[] = [];
  readonly additions: Additions = {
    fields: this.fields,
    functions: this.functions,
    filters: this.filters,
    traits: this.behaviours,
    pipelines: this.pipelines,
    hooks: this.hooks,
    actions: this.actions,
    listeners: this.heard,
    problems: () => this.linked.splice(0),
  };

  constructor(
    private readonly problems: Problem[],
    private readonly onSlow: OnSlow,
  ) {}

  add(file: ExtensionFile, extension: Extension): void {
    const check = new ShapeCheck(file, this.problems);
    check.members(extension);
    for (const each of check.list('fieldType', extension.fieldType)) this.fieldType(each, file, check);
    for (const each of check.list('computed', extension.computed)) this.computed(each, file, check);
    for (const each of check.list('filter', extension.filter)) this.filter(each, file, check);
    for (const each of check.list('trait', extension.trait)) this.trait(each, file, check);
    for (const each of check.list('pipeline', extension.pipeline)) this.pipeline(each, file, check);
    for (const each of check.list('action', extension.action)) this.action(each, file, check);
    for (const each of check.list('hooks', extension.hooks)) this.addHooks(each, file, check);
    for (const each of check.list('job', extension.job)) this.job(each, file, check);
    for (const each of check.list('listener', extension.listener)) this.listener(each, file, check);
    for (const each of check.list('command', extension.command)) this.command(each, file, check);
    if (extension.module) this.modules.push(...([extension.module].flat() as typeof this.modules));
  }

  private fieldType(each: FieldType | BasedFieldType, file: ExtensionFile, check: ShapeCheck): void {
    const based = 'base' in each ? each : undefined;
    const functions = based ? [] : ['value', 'compile'];
    if (!check.part('fieldType', each, { functions, known: fieldTypes.builtIn, mine: this.fields })) return;
    const base = based && fieldTypes.builtIn.get(based.base);
    if (based && !base) return check.unknown('base', based.base, fieldTypes.builtIn.keys(), each.name);
    const type = based ? basedFieldType(this.guardedValues(based, file), base!) : (each as FieldType);
    this.fields.set(each.name, guardedParts({ ...type, keys: type.keys ?? {} }, file, `the field type "${each.name}"`));
  }

  private guardedValues(based: BasedFieldType, file: ExtensionFile): BasedFieldType {
    const what = (name: string) => `"${name}" of the field type "${based.name}" (${file.name})`;
    return {
      ...based,
      ...(based.check && { check: this.guardSync(based.check, what('check')) }),
      ...(based.store && { store: this.guardSync(based.store, what('store')) }),
      ...(based.show && { show: this.guardSync(based.show, what('show')) }),
    };
  }

  private computed(each: ComputedFunction, file: ExtensionFile, check: ShapeCheck): void {
    const wanted = { functions: ['reads', 'compile'], known: computedFunctions.builtIn, mine: this.functions };
    if (!check.part('computed', each, wanted)) return;
    const noun = `the computed function "${each.name}"`;
    const parts = guardedParts({ ...each, options: each.options ?? {}, returns: each.returns ?? {} }, file, noun);
    this.functions.set(each.name, {
      ...parts,
      compile: (options, model) => this.guardSync(parts.compile(options, model), `${noun} (${file.name})`),
    });
  }

  private filter(each: Filter, file: ExtensionFile, check: ShapeCheck): void {
    const wanted = { functions: ['compile'], known: filters.builtIn, mine: this.filters };
    if (!check.part('filter', each, wanted)) return;
    const noun = `the filter "${each.name}"`;
    const parts = guardedParts({ ...each, value: each.value ?? {} }, file, noun);
    this.filters.set(each.name, {
      ...parts,
      compile: (param, model, report) => {
        const run = parts.compile(param, model, report);
        return run && this.guard(run, `${noun} (${file.name})`);
      },
    });
  }

  private trait(each: Trait, file: ExtensionFile, check: ShapeCheck): void {
    if (!check.part('trait', each, { functions: [], known: traits.builtIn, mine: this.behaviours })) return;
    const noun = `the trait "${each.name}"`;
    const parts = guardedParts({ ...each, options: each.options ?? {} }, file, noun);
    const { hooks } = parts;
    this.behaviours.set(each.name, {
      ...parts,
      ...(hooks && { hooks: (model, options) => this.guardHooks(hooks(model, options), `${noun} (${file.name})`) }),
    });
  }

  private pipeline(each: NamedPipeline, file: ExtensionFile, check: ShapeCheck): void {
    const wanted = { functions: ['filter', 'render'], known: pipelines.builtIn, mine: this.pipelines };
    if (!check.part('pipeline', each, wanted, false)) return;
    const what = `the pipeline "${each.name}" (${file.name})`;
    const { blocks } = each;
    this.pipelines.set(each.name, {
      ...each,
      filter: this.guardSync(each.filter, what),
      render: this.guardSync(each.render, what),
      ...(blocks && { blocks: this.guardSync((raw: string) => blocks(raw), what) }),
    });
  }

  private action(each: ActionDefinition, file: ExtensionFile, check: ShapeCheck): void {
    if (!check.action(each)) return;
    const { name, resource, on = 'item', description, body = {}, needs, error = 'rest_forbidden', returns } = each;
    const what = `the action "${name}" of ${resource} (${file.name})`;
    // Called as a method of its definition, so that `this` works.
    const run = this.guard((given: Parameters<AddedAction['run']>[0]) => {
      const call = given as unknown as ActionCall;
      const later = (work: () => void | Promise<void>) => call.after(() => blaming(work, what));
      return each.run({ ...call, after: later } as never);
    }, what);
    const report = this.reportIn(file, name);
    this.actions.push({
      name,
      resource,
      on,
      description,
      body,
      needs,
      error,
      ...(returns && { returns }),
      run,
      report,
      warning: (message, hint) => file.problem(message, hint, name),
    });
  }

  private addHooks(each: HooksDefinition, file: ExtensionFile, check: ShapeCheck): void {
    const { resource, sideBySide = false, ...phases } = each;
    if (!check.hooks(each, PHASES)) return;
    const resources = [resource].flat();
    const hooks = this.guardHooks(phases, file.name);
    const report = this.reportIn(
      file,
      resources.find((name) => name !== '*'),
    );
    this.hooks.push({ name: file.name, resources, hooks, sideBySide, report });
  }

  private job(each: JobDefinition, file: ExtensionFile, check: ShapeCheck): void {
    if (!check.job(each)) return;
    const same = this.jobs.find(({ definition }) => definition.name === each.name);
    if (same) check.twice(`the job "${each.name}"`, each.name, same.file);
    else this.jobs.push({ file, definition: each });
  }

  private listener(each: ListenerDefinition, file: ExtensionFile, check: ShapeCheck): void {
    if (!check.listener(each)) return;
    const same = this.listeners.find(({ definition }) => definition.name === each.name);
    if (same) check.twice(`the listener "${each.name}"`, each.name, same.file);
    else this.listeners.push({ file, definition: each });
    const resources = [each.on].flat().map((type) => type.split('.')[0]!);
    this.heard.push({ resources, report: this.reportIn(file, each.name) });
  }

  private command(each: CommandDefinition, file: ExtensionFile, check: ShapeCheck): void {
    if (!check.command(each)) return;
    const same = this.commands.find(({ definition }) => definition.name === each.name);
    if (same) check.twice(`the command "${each.name}"`, each.name, same.file);
    else this.commands.push({ file, definition: each });
  }

  /** A hook may depend on more than the database: responses that it contributed to are not cached. */
  private guardHooks(hooks: Partial<Hooks>, of: string): Partial<Hooks> {
    const entries = PHASES.flatMap((phase) => {
      const run = hooks[phase] as ((...args: unknown[]) => unknown) | undefined;
      if (!run) return [];
      const at = READING[phase];
      const call = (...args: unknown[]): unknown => {
        if (at !== undefined) (args[at] as Operation).state.volatile = true;
        // Imported values replace those that traits have set, but only after all hooks; hooks of extensions must see
        // them earlier.
        if (phase === 'input') applyImportedValues(args[0] as Draft, args[1] as Operation);
        return run.apply(hooks, args);
      };
      return [[phase, this.guard(call, `the hook "${phase}" of ${of}`)] as const];
    });
    return Object.fromEntries(entries) as Partial<Hooks>;
  }

  private guard<F extends (...args: any[]) => any>(run: F, what: string): F {
    return guarded(run, what, this.onSlow);
  }

  private guardSync<F extends (...args: any[]) => any>(run: F, what: string): F {
    return guardedSync(run, what, this.onSlow);
  }

  private reportIn(file: ExtensionFile, word: string | undefined): AddedAction['report'] {
    return (path, message, hint) => {
      this.linked.push(file.problem(`${path.join('.')}: ${message}`, hint, word));
    };
  }
}
