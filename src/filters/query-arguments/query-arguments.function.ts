// The `filter` parameter: an object of named arguments that replace plain parameters.
// The schema declares every name in `options.arguments`; they are compiled once here and applied per request.
import { isPlainObject } from '../../values/json-value.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { TRUE } from '../../model/query.js';
import { guardOf } from '../../model/functions/readers.js';
import type { Filter } from '../../model/registry.js';
import { membersOf } from './argument-fields.js';
import { argumentKinds } from './argument-kinds.js';
import { fieldsNamed, type ArgumentRunner, type ArgumentSchema, type ArgumentContext } from './query-argument.js';
import type { Report } from '../../model/option-check.js';

interface Argument {
  name: string;
  private: boolean;
  runsLast: boolean;
  /** Rows in which the caller may read the fields it filters by. */
  guard: RuleModel | undefined;
  run: ArgumentRunner;
}

export const queryArguments: Filter = {
  name: 'query-arguments',
  description:
    'An object of the arguments in `options.arguments`, by kind and name; an argument with its first key alone is written as the value of that key. Unknown names are ignored, private ones for callers without `options.privateNeeds`, others for callers who may not read the fields they look at.',
  value: { type: 'object' },
  compile(param, model, report) {
    const path = ['params', param.name];
    const needs = param.options?.['privateNeeds'];
    const all = compileArguments(param.options?.['arguments'], [...path, 'options', 'arguments'], model, report);
    if (all.some((argument) => argument.private) && typeof needs !== 'string') {
      report([...path, 'options', 'privateNeeds'], 'names the capability that private arguments need');
    }
    return async (value, plan, op) => {
      if (!isPlainObject(value)) return;
      const context: ArgumentContext = { op, plan, sent: (name) => sentUnder(name, value), replaced: new Set() };
      const trusted = typeof needs === 'string' && op.actor.capabilities.has(needs);
      for (const argument of all) {
        const given = context.sent(argument.name);
        if (given === undefined || (argument.private && !trusted)) continue;
        const rows = argument.guard?.(op.actor) ?? TRUE;
        if (rows.op === 'false') continue;
        plan.where.push(rows);
        await argument.run(given, context);
      }
    };
  },
};

function sentUnder(name: string, value: Record<string, unknown>): unknown {
  const sent = Object.hasOwn(value, name) ? value[name] : undefined;
  return sent === '' || sent === null ? undefined : sent;
}

function compileArguments(written: unknown, path: string[], model: ResourceModel, report: Report): Argument[] {
  const kinds = membersOf(written, '', (_option, message) => report(path, message));
  const compiled = kinds.flatMap(([kind, named]) =>
    membersOf(named, '', (_option, message) => report([...path, kind], message)).flatMap(([name, schema]) =>
      compileArgument({ name, kind, written: schema }, [...path, kind, name], model, report),
    ),
  );
  for (const [index, { name }] of compiled.entries()) {
    if (compiled.findIndex((other) => other.name === name) < index) report(path, `there are two arguments "${name}"`);
  }
  return [...compiled.filter((argument) => !argument.runsLast), ...compiled.filter((argument) => argument.runsLast)];
}

function compileArgument(
  { name, kind: kindName, written }: { name: string; kind: string; written: unknown },
  path: string[],
  model: ResourceModel,
  report: Report,
): Argument[] {
  const kind = argumentKinds.get(kindName);
  if (!kind) {
    report(path.slice(0, -1), `unknown kind of argument; there are: ${[...argumentKinds.keys()].join(', ')}`);
    return [];
  }
  const schema = (
    typeof written === 'object' && written !== null ? written : { [kind.keys[0]!]: written }
  ) as ArgumentSchema;
  for (const key of Object.keys(schema)) {
    if (!['private', ...kind.keys].includes(key))
      report([...path, key], `unknown key "${key}"; this kind takes: ${kind.keys.join(', ')}, private`);
  }
  const run = kind.compile(model, schema, (option, message) => report([...path, ...option.split('.')], message));
  const looksAt = fieldsNamed(schema).flatMap((field) => model.fields.get(field) ?? []);
  // Private arguments require a capability of their own.
  const guard = guardOf(looksAt, model, schema.private === true);
  return run ? [{ name, private: schema.private === true, runsLast: kind.runsLast ?? false, guard, run }] : [];
}
