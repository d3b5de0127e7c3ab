// Records the responses that clients received, and when, and checks whether a serial order of the writes explains all
// of them. A request that ended before another one began comes before it in that order. After a 503 response it is
// unknown whether a write was carried out.
import type { HttpResponse } from './world.js';

interface Span {
  start: number;
  /** Infinity if it is unknown whether it happened. */
  end: number;
}

interface Life extends Span {
  key: string;
  name: string;
  deleted?: Span;
}

const before = (one: Span, other: Span): boolean => one.end < other.start;
const isUnknown = ({ status }: HttpResponse): boolean => status === 503;
const spanOf = (response: HttpResponse): Span => ({
  start: response.start,
  end: isUnknown(response) ? Infinity : response.end,
});

/** The text of an item to which clients append marks, each after what they have read, with `If-Match`. */
export class Appended {
  private readonly appends: { mark: string; span: Span; status: number }[] = [];
  private readonly reads: { marks: string[]; span: Span }[] = [];

  append(mark: string, response: HttpResponse): void {
    this.appends.push({ mark, span: spanOf(response), status: response.status });
  }

  read(text: string, response: HttpResponse): void {
    this.reads.push({ marks: marksOf(text), span: spanOf(response) });
  }

  /** The results that no order explains, given the final text. */
  faults(text: string): string[] {
    const last = marksOf(text);
    const place = new Map(last.map((mark, at) => [mark, at]));
    const found = place.size < last.length ? [`repeated: ${text}`] : [];
    for (const { mark, status } of this.appends) {
      if (status === 200 && !place.has(mark)) found.push(`lost: ${mark}`);
      if (status !== 200 && status !== 503 && place.has(mark)) found.push(`refused (${status}), yet there: ${mark}`);
    }
    const there = this.appends.filter(({ mark }) => place.has(mark));
    for (const one of there)
      for (const other of there)
        if (before(one.span, other.span) && place.get(one.mark)! > place.get(other.mark)!)
          found.push(`${one.mark} was there before ${other.mark}, and comes after it`);
    return [...found, ...this.reads.flatMap((read) => staleness(read, last, there))];
  }
}

/** Marks that a read shows although it must not, or does not show although it must. */
function staleness(
  read: { marks: string[]; span: Span },
  last: string[],
  there: { mark: string; span: Span }[],
): string[] {
  const shown = new Set(read.marks);
  if (read.marks.some((mark, at) => last[at] !== mark)) return [`read ${read.marks}, which became ${last}`];
  return there.flatMap(({ mark, span }) => {
    if (before(span, read.span) && !shown.has(mark)) return [`a read after ${mark} does not show it`];
    return before(read.span, span) && shown.has(mark) ? [`a read before ${mark} shows it`] : [];
  });
}

function marksOf(text: string): string[] {
  return [...text.matchAll(/\|[^|]+\|/g)].map(([mark]) => mark);
}

/** A value that clients set without reading the one before. */
export class Register {
  private readonly writes: { value: unknown; span: Span }[] = [];

  set(value: unknown, response: HttpResponse): void {
    if (response.status === 200 || isUnknown(response)) this.writes.push({ value, span: spanOf(response) });
  }

  /** The value at the end must not certainly have been overwritten. */
  faults(last: unknown): string[] {
    if (this.writes.length === 0) return [];
    const known = this.writes.filter(({ span }) => span.end < Infinity);
    const possible = this.writes.filter(({ span }) => !known.some((other) => before(span, other.span)));
    return possible.some(({ value }) => value === last) ? [] : [`${last} was overwritten, and is there`];
  }
}

/**
 * Items that are created and deleted, each under a unique name, and the writes that refer to them.
 */
export class Lives {
  private readonly lives: Life[] = [];
  private readonly refusals: (Span & { name: string })[] = [];
  private readonly names: (Span & { key: string })[] = [];
  private readonly deletedTwice: string[] = [];

  /** Records a creation; `taken`: the error code for a name that is in use. */
  recordCreation(path: string, name: string, response: HttpResponse, taken: RegExp): void {
    const key = `${path}/${response.body?.id}`;
    if (response.status === 201 || isUnknown(response)) this.lives.push({ ...spanOf(response), key, name });
    else if (taken.test(response.body?.code)) this.refusals.push({ ...spanOf(response), name });
  }

  recordDeletion(key: string, response: HttpResponse): void {
    if (response.status !== 200 && !isUnknown(response)) return;
    const life = this.lives.find((one) => one.key === key);
    if (!life) return;
    if (life.deleted && life.deleted.end < Infinity && response.status === 200) this.deletedTwice.push(key);
    else life.deleted = { start: Math.min(response.start, life.deleted?.start ?? Infinity), end: spanOf(response).end };
  }

  /** Records an acknowledged write that refers to items. */
  recordReference(keys: string[], response: HttpResponse): void {
    if (response.status < 300) for (const key of keys) this.names.push({ ...spanOf(response), key });
  }

  faults(): string[] {
    const deletions = new Map(this.lives.map(({ key, deleted }) => [key, deleted]));
    return [
      ...this.deletedTwice.map((key) => `${key} was deleted twice`),
      ...this.names
        .filter((one) => deletions.get(one.key) && before(deletions.get(one.key)!, one))
        .map(({ key }) => `${key} was named after it was deleted`),
      ...this.lives.flatMap((one) =>
        this.lives.filter((other) => clash(one, other)).map(({ key }) => `${one.key} had the name of ${key}`),
      ),
      ...this.refusals
        .filter((refusal) => !this.lives.some((life) => life.name === refusal.name && mayHaveBeen(life, refusal)))
        .map(({ name }) => `${name} was refused, and nobody had it`),
    ];
  }
}

/** Whether one certainly existed during the whole creation of another with the same name. */
function clash(one: Life, other: Life): boolean {
  if (one === other || one.name !== other.name || other.end === Infinity) return false;
  return before(one, other) && (one.deleted?.start ?? Infinity) > other.end;
}

/** Whether one may have existed at some moment of a request. */
function mayHaveBeen(one: Life, during: Span): boolean {
  return one.start < during.end && (one.deleted?.end ?? Infinity) > during.start;
}
