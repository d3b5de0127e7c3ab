// Parsers for the values of environment variables: sizes, durations, lists, boxes of images.
import { availableParallelism } from 'node:os';
import { timezoneOf } from '../values/date-time.js';
import type { ImageSize } from '../model/site/file-storage.js';

/** Parses a text; undefined when it is invalid. */
export type Parse<T> = (text: string) => T | undefined;

/** Description of what `duration` accepts. */
export const DURATION = 'a duration such as 500ms, 10s or 2m, at most 24h';

const BYTES: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
const MILLISECONDS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_DURATION_MS = 24 * 3_600_000;
const TRUE = ['on', 'true', '1', 'yes'];
const FALSE = ['off', 'false', '0', 'no'];

/** Any text. */
export const anyText: Parse<string> = (text) => text;

/** `on` or `off` in the usual spellings. */
export const flag: Parse<boolean> = (text) =>
  TRUE.includes(text.toLowerCase()) ? true : FALSE.includes(text.toLowerCase()) ? false : undefined;

/** `on`, `off`, or a bearer token; texts of fewer than 8 characters are taken for a misspelt flag. */
export const flagOrToken: Parse<boolean | string> = (text) =>
  flag(text) ?? (/^[\w.~+/-]{8,200}=*$/.test(text) ? text : undefined);

/** One of several keywords. */
export const oneOf =
  <T extends string>(...words: T[]): Parse<T> =>
  (text) =>
    words.find((word) => word === text.toLowerCase());

/** Some of several keywords, separated by commas. */
export const wordsOf =
  <T extends string>(words: readonly T[]): Parse<T[]> =>
  (text) => {
    const found = text.split(',').map((part) => words.find((word) => word === part.trim().toLowerCase()));
    return found.every((word) => word !== undefined) ? found : undefined;
  };

/** A whole number within bounds. */
export const whole =
  (least: number, most: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  };

/** A text that matches a pattern. */
export const matching =
  (pattern: RegExp): Parse<string> =>
  (text) =>
    pattern.test(text) ? text : undefined;

/** `1mb` in bytes. */
export const bytes: Parse<number> = (text) => withUnit(text, BYTES, 'b', 1024 ** 4);

/** `10s` in milliseconds. */
export const duration: Parse<number> = (text) => withUnit(text, MILLISECONDS, undefined, MAX_DURATION_MS);

/** Items separated by commas or line breaks, trimmed. */
export const list: Parse<string[]> = (text) =>
  text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A list whose items are all valid. */
export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (text) => {
    const values = (list(text) ?? []).map(parse);
    return values.length > 0 && values.every((value) => value !== undefined) ? (values as T[]) : undefined;
  };

/** A zone of the IANA list as written, or an offset such as `+05:30`. */
export const timezone: Parse<string> = timezoneOf;

/** Number of processes; `auto` is one per core. */
export const workers: Parse<number> = (text) =>
  text.toLowerCase() === 'auto' ? availableParallelism() : whole(1, 256)(text);

/** The setting RATE_LIMIT. */
export type RateLimit = { mode: 'on' | 'off' | 'none' } | { mode: 'custom'; requests: number; seconds: number };

/** `on`, `off`, `none` or `<requests>/<seconds>`. */
export const rateLimit: Parse<RateLimit> = (text) => {
  const mode = oneOf('on', 'off', 'none')(text);
  if (mode) return { mode };
  const [requests, seconds] = /^\d+\/\d+$/.test(text) ? text.split('/').map(whole(1, 1_000_000_000)) : [];
  return requests && seconds ? { mode: 'custom', requests, seconds } : undefined;
};

/** `off`, or `name=<width>x<height>`, with one side left out or with both and `-crop`; several separated by commas. */
export const imageSizes: Parse<Record<string, ImageSize>> = (text) => {
  if (flag(text) === false) return {};
  const sizes = listOf(imageSize)(text);
  const names = new Set(sizes?.map(([name]) => name));
  return sizes && names.size === sizes.length && !names.has('full') ? Object.fromEntries(sizes) : undefined;
};

/** `off`, or `<width>x<height>`, with one side left out or with both; several separated by commas. */
export const imageBoxes: Parse<ImageSize[]> = (text) =>
  flag(text) === false ? [] : listOf((part) => imageBox(part, false))(text);

const imageSize: Parse<[string, ImageSize]> = (text) => {
  const [, name, box = ''] = /^([\w-]{1,40}) ?= ?(\S+)$/.exec(text) ?? [];
  const size = imageBox(box, true);
  return name === undefined || size === undefined ? undefined : [name, size];
};

function imageBox(text: string, mayCrop: boolean): ImageSize | undefined {
  const [, width, height, crop] = /^(\d{1,5})?x(\d{1,5})?(-crop)?$/.exec(text) ?? [];
  const sides = [width, height].map((side) => (side === undefined ? undefined : (whole(1, 10_000)(side) ?? 0)));
  const [wide, high] = sides;
  if (sides.includes(0) || (!wide && !high) || (crop && !(mayCrop && wide && high))) return undefined;
  return { ...(wide && { width: wide }), ...(high && { height: high }), ...(crop ? { crop: true } : {}) };
}

function withUnit(
  text: string,
  units: Record<string, number>,
  standard: string | undefined,
  most: number,
): number | undefined {
  const [, number = '', unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  const factor = units[(unit || standard || '').toLowerCase()];
  const value = factor === undefined ? 0 : Math.round(Number(number) * factor);
  return value > 0 && value <= most ? value : undefined;
}
