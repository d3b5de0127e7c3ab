/**
 * Compares what we render with every pair of raw and rendered text in the recordings. Runs only where the recordings
 * are next to the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { encodeName } from '../../../src/text/plain.js';
import {
  renderCaption,
  renderComment,
  renderContent,
  renderDescription,
  renderExcerpt,
  renderTitle,
} from '../../../src/text/render.js';
import { slugify } from '../../../src/text/slug.js';

type Json = Record<string, unknown>;

const folder = join(process.cwd(), '..', 'shared', 'reference');
const present = existsSync(join(folder, 'content.json'));
const content = present
  ? (JSON.parse(readFileSync(join(folder, 'content.json'), 'utf8')) as Record<string, Json[]>)
  : {};
const MORE_TAIL = /&hellip; <a class="more-link".*<\/a><\/p>\n$/s;
const ATTACHMENT = /^<p class="attachment">.*?<\/p>\n/s;
/** The reference's own makers of text: a name for the untitled, a caption and players made up from the file. */
const MADE_UP = /^Untitled$|^<div style="[^"]*" class="wp-video">|^<!--\[if lt IE 9\]>/;

const stored = new Map<string, Json>();
for (const [key, type] of Object.entries({ posts: 'post', pages: 'page', media: 'attachment', comments: 'comment' })) {
  for (const item of content[key] ?? []) stored.set(`${type} ${String(item['id'])}`, item);
}

interface Pair {
  where: string;
  field: string;
  type: string;
  raw: string;
  body: string;
  rendered: string;
}

const pairs = new Map<string, Pair>();
const names = new Set<string>();

function collect(value: unknown, where: string): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, where);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const item = value as Json;
  if (typeof item['type'] === 'string' && item['protected'] !== true) collectFields(item, where);
  if (typeof item['taxonomy'] === 'string' && typeof item['name'] === 'string') names.add(item['name']);
  for (const entry of Object.values(item)) collect(entry, where);
}

function collectFields(item: Json, where: string): void {
  const seed = stored.get(`${String(item['type'])} ${String(item['id'])}`);
  for (const field of ['title', 'content', 'excerpt', 'caption', 'description']) {
    const text = item[field] as Json | undefined;
    if (typeof text?.['rendered'] !== 'string' || text['protected'] === true) continue;
    const raw = text['raw'] ?? seed?.[field];
    const body = (item['content'] as Json | undefined)?.['raw'] ?? seed?.['content'] ?? '';
    if (typeof raw !== 'string') continue;
    const pair = { where, field, type: String(item['type']), raw, body: String(body), rendered: text['rendered'] };
    pairs.set(`${field}\0${raw}\0${pair.rendered}`, pair);
  }
}

for (const file of present ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []) {
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
    const recording = JSON.parse(line) as { name: string; body?: unknown };
    collect(recording.body, recording.name);
  }
}

function render({ field, type, raw, body }: Pair): string {
  if (field === 'title') return renderTitle(raw);
  if (field === 'content') return type === 'comment' ? renderComment(raw) : renderContent(raw);
  if (field === 'excerpt') return renderExcerpt(raw, body);
  return field === 'caption' ? renderCaption(raw) : renderDescription(raw);
}

(present ? describe : describe.skip)('the recordings', () => {
  const comparable = [...pairs.values()].filter(({ field, raw, rendered }) => {
    if (MADE_UP.test(rendered)) return false;
    return !(field === 'caption' && raw === '');
  });

  it('contain enough pairs to compare', () => {
    expect(comparable.length).toBeGreaterThan(60);
    expect(names.size).toBeGreaterThan(20);
  });

  it.each(comparable.map((pair) => [`${pair.where} ${pair.field} ${pair.raw.slice(0, 40)}`, pair] as const))(
    'are rendered alike: %s',
    (_, pair) => {
      const expected = pair.rendered.replace(MORE_TAIL, ' [&hellip;]</p>\n').replace(ATTACHMENT, '');
      expect(render(pair)).toBe(expected);
    },
  );

  it('have term names as they are stored here', () => {
    const written = [...(content['tags'] ?? []), ...(content['categories'] ?? [])].map((term) =>
      encodeName(String(term['name'])),
    );
    const shown = [...names].filter((name) => written.includes(name) || name.includes('&'));
    for (const name of shown) expect(written).toContain(name);
    for (const name of names) expect(encodeName(name)).toBe(name);
  });

  it('have the same slugs for names and titles', () => {
    for (const term of content['categories'] ?? [])
      expect(String(term['slug'])).toContain(slugify(String(term['name'])).slice(0, 5));
    expect(slugify('Hello Wörld & more!')).toBe('hello-world-more');
  });
});
