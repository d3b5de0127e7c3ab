// Checks the parts of an extension when the site starts: no compiler has checked JavaScript files.
import type { Problem } from '../../errors/problem.js';
import { EVENT_ACTIONS } from '../../model/audit.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import type {
  ActionDefinition,
  CommandDefinition,
  Extension,
  HooksDefinition,
  JobDefinition,
  ListenerDefinition,
} from './define.js';
import { durationOf } from './duration.js';
import type { ExtensionFile } from './place.js';

const MEMBERS: readonly (keyof Extension)[] = [
  'fieldType',
  'computed',
  'filter',
  'trait',
  'pipeline',
  'action',
  'hooks',
  'listener',
  'job',
  'module',
  'command',
];
/** Types that a value may have. */
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const;
const NAME = /^[a-z][A-Za-z0-9_-]{0,59}$/;
const SEGMENT = /^[a-z][a-z0-9-]{0,59}$/;
const CODE = /^[a-z][a-z0-9_]*$/;
/** Commands of the program itself. */
const COMMANDS =
  'serve check doctor explain init new import diff migrate dump load rerender openapi types grammar user webhooks mcp help'.split(
    ' ',
  );

/** What a named part must have, and the names that are in use. */
interface Wanted {
  functions: readonly string[];
  known: ReadonlyMap<string, unknown>;
  mine: ReadonlyMap<string, unknown>;
}

/** Checks one file; its problems go to `problems`. */
export class ShapeCheck {
  constructor(
    private readonly file: ExtensionFile,
    private readonly problems: Problem[],
  ) {}

  /** Reports members of the definition that are unknown. */
  members(extension: Extension): void {
    for (const key of Object.keys(extension)) {
      if ((MEMBERS as readonly string[]).includes(key)) continue;
      this.fail(`an extension has no member "${key}"`, didYouMean(key, MEMBERS) ?? `it has ${MEMBERS.join(', ')}`, key);
    }
  }

  /** One or many as a list of objects. */
  list<T>(kind: keyof Extension, value: T | readonly T[] | undefined): T[] {
    const all = value === undefined ? [] : ([value].flat() as T[]);
    return all.filter((each) => {
      const fits = typeof each === 'object' && each !== null;
      if (!fits) this.fail(`"${kind}" is not an object`);
      return fits;
    });
  }

  /** Checks a part with a name of its own; false when it cannot be used. */
  part(kind: keyof Extension, each: object, { functions, known, mine }: Wanted, described = true): boolean {
    const { name, description } = each as { name?: unknown; description?: unknown };
    if (typeof name !== 'string' || !NAME.test(name))
      return this.fail(`"${kind}" needs a name: letters, digits, _ and -, beginning with a lower-case letter`);
    const before = this.problems.length;
    if (known.has(name)) this.fail(`${kind} "${name}": the engine has one of this name`, 'choose another name', name);
    if (mine.has(name)) this.fail(`${kind} "${name}" is defined twice`, 'another extension has it too', name);
    if (described && typeof description !== 'string')
      this.fail(`${kind} "${name}" needs a description: the reference and editors show it`, undefined, name);
    for (const key of functions) this.mustCall(each, key, `${kind} "${name}"`, name);
    for (const member of ['options', 'keys'] as const) {
      const values = (each as Record<string, unknown>)[member];
      if (typeof values === 'object' && values !== null) this.valueTypes(values, `${kind} "${name}": ${member}`);
    }
    return this.problems.length === before;
  }

  /**
   * Checks the type names in a JSON Schema at any depth: the grammar of schema files, which is made from them, fails on
   * unknown ones.
   */
  private valueTypes(values: object, place: string): void {
    for (const [name, value] of Object.entries(values)) this.valueType(value, `${place}.${name}`);
  }

  private valueType(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null) return;
    const { type, items, properties, anyOf, oneOf } = value as ValueSchema;
    for (const each of type === undefined ? [] : [type].flat()) {
      if ((TYPES as readonly unknown[]).includes(each)) continue;
      const hint = didYouMean(String(each), TYPES) ?? `types are ${TYPES.join(', ')}`;
      this.fail(`${place} has the unknown type ${JSON.stringify(each)}`, hint, String(each));
    }
    if (items) this.valueType(items, `${place}.items`);
    if (properties) this.valueTypes(properties, place);
    for (const [at, each] of [...(anyOf ?? []), ...(oneOf ?? [])].entries()) this.valueType(each, `${place}[${at}]`);
  }

  action(each: ActionDefinition): boolean {
    const before = this.problems.length;
    const { name, resource, on, description, needs, body, error } = each;
    if (typeof name !== 'string' || !SEGMENT.test(name))
      return this.fail('an action needs a name: lower-case letters, digits and -, the end of its path');
    const noun = `action "${name}"`;
    if (typeof resource !== 'string') this.fail(`${noun} needs the name of its resource`, undefined, name);
    if (typeof description !== 'string') this.fail(`${noun} needs a description`, undefined, name);
    if (needs === undefined)
      this.fail(`${noun} does not say who may run it: add "needs"`, 'true lets everybody who can read the item', name);
    if (on !== undefined && on !== 'item' && on !== 'collection')
      this.fail(`${noun}: "on" is item or collection`, undefined, name);
    if (error !== undefined && (typeof error !== 'string' || !CODE.test(error)))
      this.fail(`${noun}: "error" is a code such as rest_cannot_pay`, undefined, name);
    if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      this.fail(`${noun}: "body" maps names to values in keywords of JSON Schema`, undefined, name);
    this.mustCall(each, 'run', noun, name);
    return this.problems.length === before;
  }

  hooks(each: HooksDefinition, phases: readonly string[]): boolean {
    const before = this.problems.length;
    const { resource, sideBySide: _sideBySide, ...rest } = each;
    const names = [resource ?? []].flat();
    if (names.length === 0 || names.some((name) => typeof name !== 'string'))
      this.fail('hooks need the name of a resource, several, or "*"', undefined, 'resource');
    for (const key of Object.keys(rest)) {
      if (!phases.includes(key))
        this.fail(`there is no phase "${key}"`, didYouMean(key, phases) ?? `phases are ${phases.join(', ')}`, key);
      else this.mustCall(rest, key, 'hooks', key);
    }
    return this.problems.length === before;
  }

  job(each: JobDefinition): boolean {
    const before = this.problems.length;
    const { name, every } = each;
    if (typeof name !== 'string' || !NAME.test(name)) return this.fail('a job needs a name: letters, digits, _ and -');
    if (durationOf(every) === undefined)
      this.fail(`job "${name}": "every" is a time such as 30s, 5m or 1h, from 1s to 24h`, undefined, name);
    this.mustCall(each, 'run', `job "${name}"`, name);
    return this.problems.length === before;
  }

  listener(each: ListenerDefinition): boolean {
    const before = this.problems.length;
    const { name, on } = each;
    if (typeof name !== 'string' || !NAME.test(name))
      return this.fail('a listener needs a name: letters, digits, _ and -');
    const types = [on ?? []].flat();
    if (types.length === 0)
      this.fail(`listener "${name}": "on" names types of events`, 'order.created, order.*, *', name);
    for (const type of types) {
      const [, action] = /^(?:\*|[a-z][a-z0-9_-]*)\.(.+)$/.exec(String(type)) ?? [];
      if (type === '*' || action === '*' || (EVENT_ACTIONS as readonly string[]).includes(action ?? '')) continue;
      const hint = `a resource or *, a dot, and one of ${EVENT_ACTIONS.join(', ')} or *`;
      this.fail(`listener "${name}": "${String(type)}" is not a type of event`, hint, name);
    }
    this.mustCall(each, 'run', `listener "${name}"`, name);
    return this.problems.length === before;
  }

  command(each: CommandDefinition): boolean {
    const before = this.problems.length;
    const { name, description } = each;
    if (typeof name !== 'string' || !SEGMENT.test(name))
      return this.fail('a command needs a name: lower-case letters, digits and -');
    if (COMMANDS.includes(name)) this.fail(`command "${name}": the program has one of this name`, undefined, name);
    if (typeof description !== 'string') this.fail(`command "${name}" needs a description`, undefined, name);
    this.mustCall(each, 'run', `command "${name}"`, name);
    return this.problems.length === before;
  }

  /** Reports a name that is not among `names`. */
  unknown(key: string, value: unknown, names: Iterable<string>, word?: string): void {
    this.fail(`"${key}": there is no "${String(value)}"`, didYouMean(String(value), names), word);
  }

  /** Reports a name that another file uses already. */
  twice(noun: string, word: string, other: ExtensionFile): void {
    this.fail(`${noun} is defined twice`, `also in ${other.name}`, word);
  }

  private mustCall(each: object, key: string, noun: string, word: string): void {
    if (typeof (each as Record<string, unknown>)[key] !== 'function')
      this.fail(`${noun}: "${key}" must be a function`, undefined, word);
  }

  private fail(message: string, hint?: string, word?: string): false {
    this.problems.push(this.file.problem(message, hint, word));
    return false;
  }
}
