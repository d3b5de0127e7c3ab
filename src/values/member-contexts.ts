// Members of stored objects that are not returned in a context.
import type { Context } from '../model/schema/schema.js';
import { isPlainObject } from './json-value.js';
import type { MemberSchema, ValueSchema } from '../model/schema/value-schema.js';

/** Removes the members that a context does not include; the stored value is not changed. */
export type MemberFilter = (value: unknown, context: Context) => unknown;

/** The filter of a value; undefined when all members are returned in every context of the value. */
export function memberFilter(schema: ValueSchema): MemberFilter | undefined {
  const item = schema.items && memberFilter(schema.items);
  const members = new Map<string, { contexts: readonly Context[] | undefined; inner: MemberFilter | undefined }>();
  for (const [name, member] of Object.entries<MemberSchema>(schema.properties ?? {})) {
    const inner = memberFilter(member);
    if (member.contexts || inner) members.set(name, { contexts: member.contexts, inner });
  }
  if (!item && members.size === 0) return undefined;
  return (value, context) => {
    if (Array.isArray(value)) return item ? value.map((each) => item(each, context)) : value;
    if (members.size === 0 || !isPlainObject(value)) return value;
    const shown: Record<string, unknown> = {};
    for (const [name, stored] of Object.entries(value)) {
      const { contexts, inner } = members.get(name) ?? {};
      if (!contexts || contexts.includes(context)) shown[name] = inner ? inner(stored, context) : stored;
    }
    return shown;
  };
}
