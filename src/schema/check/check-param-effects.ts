// Finds parameters that nothing reads, and keys of them without effect.
import type { Filter } from '../../model/registry.js';
import type { ParamSchema, ResourceSchema } from '../../model/schema/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { Path } from '../load/load.js';
import { members, record } from '../load/as-json.js';
import { tableNameOf } from './columns.js';
import { STANDARD_PARAMS } from '../grammar/standard-params.js';
import { writtenPath } from '../grammar/filterable.js';
import type { Findings } from './findings.js';
import type { Trait } from '../../model/trait.js';

/** The traits, filters and functions that read the keys of a schema. */
export interface Readers {
  traits: ReadonlyMap<string, Trait>;
  filters: ReadonlyMap<string, Filter>;
}

/** Keys of a parameter that configure its filter. */
const FILTER_KEYS = ['field', 'resource', 'function', 'options'] as const;

const STEP_HINT = 'check it in a step of "permissions"';

/** Reports them to the findings in the file of a schema; `schema` is extended by its traits. */
export function checkParamEffects(findings: Findings, schema: ResourceSchema, readers: Readers): void {
  new ParamCheck(findings, schema, readers).check();
}

class ParamCheck {
  private readonly isStatic: boolean;

  constructor(
    private readonly findings: Findings,
    private readonly schema: ResourceSchema,
    private readonly readers: Readers,
  ) {
    this.isStatic = tableNameOf(schema) === undefined;
  }

  check(): void {
    const read = this.paramsRead();
    for (const [name, param] of Object.entries(this.schema.params ?? {})) {
      const at = ['params', name];
      if (this.isStatic && param.filter !== undefined)
        this.findings.fail(
          [...at, 'filter'],
          'rows of a static resource are selected by "field" alone; leave out "filter"',
        );
      if (param.filter === undefined && !(this.isStatic && param.field !== undefined))
        this.unfiltered(at, param, read.has(name));
      if (param.filter !== undefined) this.filtered(at, param);
    }
    const readOfItem = this.paramsOfItem();
    for (const group of ['itemParams', 'deleteParams'] as const) {
      for (const [name, param] of Object.entries(this.schema[group] ?? {})) {
        if (param.filter !== undefined)
          this.findings.fail([group, name, 'filter'], 'only lists are filtered: "params" has their parameters');
        else if (name === 'context' && group === 'itemParams')
          this.findings.fail(
            [group, name],
            'single items have a parameter "context" of their own',
            'leave it out',
            'key',
          );
        else if (!readOfItem.has(name) && record(record(this.findings.file.schema)[group])[name] !== undefined)
          this.findings.warn([group, name], 'nothing reads this parameter', didYouMean(name, readOfItem) ?? STEP_HINT);
      }
    }
  }

  private unfiltered(at: Path, param: ParamSchema, isRead: boolean): void {
    if (this.isStandard(String(at[1]))) {
      const hint = 'give it another name, or leave it out: "list" has what may be said of those parameters';
      return this.findings.fail(at, `lists have a parameter "${String(at[1])}" of their own`, hint, 'key');
    }
    const written = FILTER_KEYS.find((key) => param[key] !== undefined);
    if (written)
      this.findings.fail(
        [...at, written],
        `"${written}" says something to a filter, and there is none`,
        'add "filter"',
      );
    else if (!isRead) this.findings.warn(at, 'nothing reads this parameter', `give it a "filter", or ${STEP_HINT}`);
  }

  private filtered(at: Path, param: ParamSchema): void {
    const name = String(at[1]);
    const place = writtenPath(this.findings.file.schema as ResourceSchema, [...at]);
    const hint =
      place[0] === 'fields'
        ? `name it with "param", as in {"${param.filter}": {"param": "its_name"}}`
        : 'give it another name, and "field"';
    if (this.isStandard(name)) this.findings.fail(place, `lists have a parameter "${name}" of their own`, hint);
    const keys = this.readers.filters.get(param.filter!)?.keys ?? [];
    for (const key of ['resource', 'function'] as const) {
      if (param[key] !== undefined && !keys.includes(key))
        this.findings.fail([...at, key], `the filter "${param.filter}" takes no "${key}"`);
    }
    const known = [...STANDARD_PARAMS, ...Object.keys(this.schema.params ?? {})];
    for (const [name, argument] of members(record(record(param.options)['arguments'])['param'])) {
      const meant = typeof argument === 'string' ? argument : record(argument)['param'];
      if (typeof meant !== 'string' || known.includes(meant)) continue;
      const place = [...at, 'options', 'arguments', 'param', name, 'param'];
      this.findings.fail(place, `unknown parameter "${meant}"`, didYouMean(meant, known));
    }
  }

  /** Whether the list reads a parameter of this name itself. */
  private isStandard(name: string): boolean {
    const { list, search } = this.schema;
    if (this.isStatic || list?.paginated === false) return name === 'context';
    return STANDARD_PARAMS.includes(name) && (name !== 'search' || search !== undefined);
  }

  private paramsRead(): Set<string> {
    const { traits = {}, permissions } = this.schema;
    const byTraits = Object.entries(traits).flatMap(
      ([name, options]) => this.readers.traits.get(name)?.params?.(options) ?? [],
    );
    const bySteps = (permissions?.list ?? []).flatMap(({ param }) => param ?? []);
    return new Set([...STANDARD_PARAMS, ...byTraits, ...bySteps]);
  }

  /** Parameters of single items that traits or steps read. */
  private paramsOfItem(): Set<string> {
    const { traits = {}, permissions = {}, itemParams = {}, deleteParams = {} } = this.schema;
    const written = record(this.findings.file.schema);
    const added = [itemParams, deleteParams].flatMap((params) => Object.keys(params));
    const isWritten = (name: string) =>
      ['itemParams', 'deleteParams'].some((group) => record(written[group])[name] !== undefined);
    const byTraits = Object.entries(traits).flatMap(
      ([name, options]) => this.readers.traits.get(name)?.params?.(options) ?? [],
    );
    // What opens an item may open those that depend on it.
    const opening = [...this.readers.traits.values()].flatMap(({ opens = [] }) => opens);
    const bySteps = [...(permissions.retrieve ?? []), ...(permissions.delete ?? [])].flatMap(
      ({ param }) => param ?? [],
    );
    return new Set(['context', ...added.filter((name) => !isWritten(name)), ...byTraits, ...opening, ...bySteps]);
  }
}
