// Values that the engine fills in: the current time, the caller, a new UUID.
import { randomUUID } from 'node:crypto';
import { toWall, utcNow } from './date-time.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { Generator } from '../model/field.js';

/** Words that stand for such a value, with the types of the fields that they fit. */
export const GENERATED: Readonly<Record<string, readonly string[]>> = {
  $now: ['datetime', 'date', 'time'],
  $me: ['reference'],
  $uuid: ['uuid', 'string'],
};

/** Whether a default is such a word. */
export function isGenerated(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(GENERATED, value);
}

/** What fills a field of a type, in the form that a client would send. */
export function generatorOf(word: string, { type }: FieldSchema): Generator {
  if (word === '$me') return ({ actor }) => actor.id;
  if (word === '$uuid') return () => randomUUID();
  if (type === 'datetime') return (op) => `${utcNow(op)}Z`;
  const [from, to] = type === 'date' ? [0, 10] : [11, 19];
  return (op) => toWall(utcNow(op), op.site.settings.timezone).slice(from, to);
}
