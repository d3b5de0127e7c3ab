// The benchmark data set: the same authors, terms and posts on every machine, generated from one seed.

/** A term or an author; posts refer to it by its position. */
export interface Named {
  name: string;
  slug: string;
}

/** One post; `author`, `categories` and `tags` are positions. */
export interface SampledPost {
  title: string;
  slug: string;
  content: string;
  excerpt: string;
  date: string;
  status: string;
  sticky: boolean;
  author: number;
  categories: number[];
  tags: number[];
}

/** Number of authors, categories and tags. */
export const AUTHORS = 50;
export const CATEGORIES = 60;
export const TAGS = 600;
/** One word that occurs in one post of 5,000, and one that occurs in nearly every post. */
export const RARE_WORD = 'quetzal';
export const COMMON_WORD = 'water';

const SEED = 20_261_101;
const NEWEST = Date.UTC(2026, 9, 31);
/** Spreads a hundred thousand posts over ten years. */
const MINUTES_APART = 50;
const COMMON =
  'the of and to in a is that it for was on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may long little very after'.split(
    ' ',
  );
const SYLLABLES =
  'an ber cor dal en fir gan hol in jor kal lum mer nor ol pen qua ris sol tar um ver wen xi yor zan bel cra dro fen gro hin lor men par ster tion tre vil wor'.split(
    ' ',
  );

/** Pseudo-random numbers in [0, 1), the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Authors, categories or tags. */
export function named(kind: string, count: number): Named[] {
  const next = random(SEED + kind.length * 7919);
  return Array.from({ length: count }, (_, index) => {
    const name = `${capital(word(next))} ${word(next)}`;
    return { name: `${name} ${index + 1}`, slug: `${kind}-${index + 1}` };
  });
}

/** Posts, the oldest first. */
export function* posts(count: number): Generator<SampledPost> {
  const next = random(SEED);
  const words = Array.from({ length: 4_000 }, () => word(next));
  const write = new Writer(next, words);
  for (let index = 0; index < count; index += 1) yield samplePost(index, count, next, write);
}

function samplePost(index: number, count: number, next: () => number, write: Writer): SampledPost {
  const title = capital(write.words(3 + below(next, 6)));
  const minutes = (count - index) * MINUTES_APART - below(next, MINUTES_APART);
  const fate = next();
  const status = fate < 0.97 ? 'publish' : fate < 0.985 ? 'draft' : fate < 0.99 ? 'pending' : 'private';
  return {
    title,
    slug: `${title.toLowerCase().replaceAll(' ', '-')}-${index + 1}`,
    content: write.article(1_000 + below(next, 2_000), index % 5_000 === 4_999 ? RARE_WORD : ''),
    excerpt: next() < 0.3 ? write.sentence() : '',
    date: new Date(NEWEST - minutes * 60_000).toISOString().slice(0, 19),
    status,
    sticky: status === 'publish' && next() < 0.01,
    author: low(next, AUTHORS),
    categories: several(next, 1 + below(next, 3), CATEGORIES),
    tags: several(next, below(next, 6), TAGS),
  };
}

/** Generates natural-looking text: frequent words first, sentences, paragraphs, some markup. */
class Writer {
  constructor(
    private readonly next: () => number,
    private readonly vocabulary: readonly string[],
  ) {}

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  sentence(): string {
    const text = capital(this.words(6 + below(this.next, 14)));
    const fate = this.next();
    if (fate < 0.1) return `"${text}," ${this.word()} said.`;
    if (fate < 0.15) return `${text}. It wasn't ${this.word()} -- <em>${this.word()}</em>...`;
    return `${text}${fate < 0.2 ? '?' : '.'}`;
  }

  article(size: number, extra: string): string {
    const parts: string[] = [];
    for (let length = 0; length < size;) {
      const part = this.paragraph();
      parts.push(part);
      length += part.length + 2;
    }
    if (extra !== '') parts.push(`A ${extra} was seen.`);
    return parts.join('\n\n');
  }

  private paragraph(): string {
    const text = Array.from({ length: 2 + below(this.next, 4) }, () => this.sentence()).join(' ');
    const fate = this.next();
    if (fate < 0.06) return `<h2>${capital(this.words(4))}</h2>\n${text}`;
    if (fate < 0.1) return `<ul>\n<li>${this.words(5)}</li>\n<li>${this.words(4)}</li>\n</ul>`;
    if (fate < 0.14) return `<blockquote>${text}</blockquote>`;
    if (fate < 0.3) return `${text} <a href="https://example.org/${this.word()}">${this.words(2)}</a>.`;
    return `${text} <strong>${capital(COMMON_WORD)}</strong> ${this.word()}.`;
  }

  private word(): string {
    const { next } = this;
    return next() < 0.45 ? COMMON[low(next, COMMON.length)]! : this.vocabulary[low(next, this.vocabulary.length)]!;
  }
}

function word(next: () => number): string {
  return Array.from({ length: 2 + below(next, 3) }, () => SYLLABLES[below(next, SYLLABLES.length)]!).join('');
}

function several(next: () => number, count: number, of: number): number[] {
  return [...new Set(Array.from({ length: count }, () => low(next, of)))];
}

function below(next: () => number, limit: number): number {
  return Math.floor(next() * limit);
}

// Skewed towards small numbers, as the popularity of real terms and authors is.
function low(next: () => number, limit: number): number {
  return Math.floor(next() ** 2 * limit);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
