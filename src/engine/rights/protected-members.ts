// Objects and lists of objects whose members have rights of their own: an update replaces the whole value, except for
// the members that its sender cannot see or may not set.
import { isDeepStrictEqual } from 'node:util';
import type { RightModel } from '../../model/permissions.js';
import { without } from './field-rights.js';

/** What a caller may do with the members of one stored value. */
export interface MemberAccess {
  sees(member: RightModel): boolean;
  sets(member: RightModel): boolean;
  /** Throws the error for a member with this dotted name. */
  refuse(name: string): never;
}

type Members = Record<string, unknown>;

/**
 * The value to store: what was sent, with the protected members of the stored value. Items of lists have no identity:
 * each one sent takes the protected members of the stored item that equals it otherwise, else of the first stored item
 * without such a match.
 */
export function mergeProtected(right: RightModel, sent: unknown, stored: unknown, access: MemberAccess): unknown {
  if (Array.isArray(sent)) return listOf(right, sent, stored, access);
  if (sent === null || sent === undefined) {
    const protectedOnly = isObject(stored) ? membersOf(right, {}, stored, access) : {};
    return Object.keys(protectedOnly).length > 0 ? protectedOnly : sent;
  }
  return isObject(sent) ? membersOf(right, sent, isObject(stored) ? stored : {}, access) : sent;
}

function membersOf(right: RightModel, sent: Members, stored: Members, access: MemberAccess): Members {
  const result = { ...sent };
  for (const [name, member] of right.members ?? []) {
    const isSent = Object.hasOwn(sent, name);
    const value = resolveMember(
      member,
      sent[name],
      Object.hasOwn(stored, name) ? stored[name] : undefined,
      isSent,
      access,
    );
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

function resolveMember(
  member: RightModel,
  sent: unknown,
  stored: unknown,
  isSent: boolean,
  access: MemberAccess,
): unknown {
  const [sees, sets] = [access.sees(member), access.sets(member)];
  if (!isSent && (!sees || !sets)) return stored;
  if (isSent && !sets && (!sees || stored === undefined || !isDeepStrictEqual(sent, stored)))
    return access.refuse(member.name);
  return sees && sets && member.members ? mergeProtected(member, sent, stored, access) : sent;
}

function listOf(right: RightModel, sent: unknown[], stored: unknown, access: MemberAccess): unknown[] {
  const before = Array.isArray(stored) ? stored : [];
  const origins = originsOf(sent, before, hiddenPaths(right, access));
  return sent.map((item, index) => mergeProtected(right, item, origins[index], access));
}

/** The stored item that each sent one continues. */
function originsOf(sent: readonly unknown[], stored: readonly unknown[], hidden: readonly string[][]): unknown[] {
  const keyOf = (item: unknown) => JSON.stringify(sortMembers(hidden.reduce(without, item)));
  const [wanted, there] = [sent.map(keyOf), stored.map(keyOf)];
  const taken = new Set<number>([...wanted.keys()].filter((index) => wanted[index] === there[index]));
  const moved = new Map<string, number[]>();
  // Backwards, so that the first of several equal ones is taken first.
  for (let at = there.length - 1; at >= 0; at--) {
    if (taken.has(at)) continue;
    const list = moved.get(there[at]!);
    if (list) list.push(at);
    else moved.set(there[at]!, [at]);
  }
  const origins = wanted.map((key, index) => (taken.has(index) ? index : moved.get(key)?.pop()));
  const used = new Set(origins);
  const left = stored.filter((_, index) => !used.has(index));
  let next = 0;
  return origins.map((at) => (at === undefined ? left[next++] : stored[at]));
}

/** Paths of the members that the caller cannot see or may not set, from the value itself. */
function hiddenPaths(right: RightModel, access: MemberAccess, prefix: string[] = []): string[][] {
  return [...(right.members ?? [])].flatMap(([name, member]) =>
    access.sees(member) && access.sets(member) ? hiddenPaths(member, access, [...prefix, name]) : [[...prefix, name]],
  );
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
