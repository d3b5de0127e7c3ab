// Reads environment variables and collects their problems.
import * as read from './parsers.js';
import type { Parse } from './parsers.js';
import type { Problem } from '../errors/problem.js';
import { nearest, withinEdits } from '../text/nearest-name.js';

/** Variables by name. */
export type Environment = Record<string, string | undefined>;

/** Reads each variable once and records its name and problem. */
export class Variables {
  readonly names = new Set<string>();
  /** Names of the variables that have an effective default. */
  readonly defaulted = new Set<string>();
  readonly problems: Problem[] = [];

  constructor(private readonly env: Environment) {}

  /** The value of a variable; an empty one counts as absent. `show` masks secrets in messages. */
  get<T>(name: string, fallback: T, allowed: string, parse: Parse<T>, show = (text: string) => text): T {
    this.names.add(name);
    if (fallback !== false && !(Array.isArray(fallback) && fallback.length === 0)) this.defaulted.add(name);
    const text = this.env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const value = parse(text);
    if (value === undefined) this.problems.push(invalidValue(name, `"${show(text)}" is not ${allowed}`));
    return value ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.get(name, fallback, 'on or off (or true, false, 1, 0, yes, no)', read.flag);
  }

  whole(name: string, fallback: number, least: number, most: number): number {
    return this.get(name, fallback, `a whole number from ${least} to ${most}`, read.whole(least, most));
  }

  oneOf<T extends string>(name: string, fallback: T, ...words: T[]): T {
    return this.get(name, fallback, `one of ${words.join(', ')}`, read.oneOf(...words));
  }

  text(name: string, fallback: string): string {
    return this.get(name, fallback, 'a text', read.anyText);
  }

  /** A text that is used exactly as given and never shown. */
  secret(name: string): string | undefined {
    this.names.add(name);
    return this.env[name] === '' ? undefined : this.env[name];
  }
}

/** Variables whose names nearly match a known one that is not set. Others may belong to the hosting platform. */
export function misspelt(env: Environment, names: ReadonlySet<string>): Problem[] {
  const unset = [...names].filter((name) => env[name] === undefined);
  const site = new Map([...names].map((name) => [name.replace(/^SITE_/, ''), name]));
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return [];
    const meant = name.startsWith('SITE_')
      ? site.get(nearest(name.slice('SITE_'.length), site.keys()) ?? '')
      : likely(name, unset);
    if (meant === undefined) return [];
    return [{ ...invalidValue(name, 'there is no such setting'), hint: `did you mean ${meant}?` }];
  });
}

// Short names that differ by one letter are often unrelated.
function likely(name: string, unset: readonly string[]): string | undefined {
  if (name !== name.toUpperCase() || name.length < 4) return undefined;
  if (name.length >= 8) return withinEdits(name, unset, 2);
  const meant = withinEdits(name, unset, 1);
  return meant !== undefined && (name.length > 5 || sameLetters(name, meant)) ? meant : undefined;
}

function sameLetters(left: string, right: string): boolean {
  return [...left].sort().join() === [...right].sort().join();
}

/** A problem of one variable. */
export function invalidValue(name: string, message: string): Problem {
  return { file: 'environment', path: name, message };
}
