// Registry of the kinds of arguments of a `query-arguments` parameter. A new one is one file here and one line below.
import { calendarArgument } from './calendar.argument.js';
import { datesArgument } from './dates.argument.js';
import { floatArgument } from './float.argument.js';
import { idsArgument } from './ids.argument.js';
import { momentArgument } from './moment.argument.js';
import { orderArgument } from './order.argument.js';
import { paramArgument } from './param.argument.js';
import type { ArgumentKind } from './query-argument.js';
import { ruleArgument } from './rule.argument.js';
import { searchArgument } from './search.argument.js';
import { slugsArgument } from './slugs.argument.js';
import { termArgument } from './term.argument.js';
import { textArgument } from './text.argument.js';

const all: ArgumentKind[] = [
  idsArgument,
  slugsArgument,
  termArgument,
  textArgument,
  searchArgument,
  calendarArgument,
  momentArgument,
  datesArgument,
  orderArgument,
  floatArgument,
  paramArgument,
  ruleArgument,
];

/** Kinds of arguments by name. */
export const argumentKinds: ReadonlyMap<string, ArgumentKind> = new Map(all.map((kind) => [kind.name, kind]));
