// The documents name files that exist, and their links lead to pages and headings that exist.
import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const below = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).replaceAll('\\', '/'));
const PAGES = ['README.md', ...below('docs', '.md')];
const ROOMS = new Set(readdirSync(join(root, 'src')));

const CODE_BLOCK = /^```[^]*?^```$/gm;
const QUOTED = /`([^`\n]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
const parts = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part]) => part!);

/** Whether a text in backticks is the path of a file or folder, not a pattern and not a command. */
function isPath(text: string): boolean {
  if (/[\s<>*{}…:,]/.test(text)) return false;
  const [first] = text.split('/');
  if (/^(?:src|test|docs|schemas|scripts|examples|bench|docker)\/./.test(text)) return true;
  return ROOMS.has(first!) && /^[\w/.-]+\.(?:ts|mjs)$/.test(text);
}

/** The anchor of a heading, as it is made for Markdown. */
function anchorOf(heading: string): string {
  const plain = heading.replaceAll(/`|\[|\]\([^)]*\)/g, '').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

function anchorsOf(page: string): string[] {
  return parts(textOf(page).replaceAll(CODE_BLOCK, ''), /^#+ (.+)$/gm).map(anchorOf);
}

test.each(PAGES)('the file names in %s exist', (page) => {
  const named = parts(textOf(page).replaceAll(CODE_BLOCK, ''), QUOTED).filter(isPath);
  // The page shows how to write this one.
  const written = new Set(page === 'README.md' || page === 'docs/schemas.md' ? ['schemas/book.json'] : []);
  const missing = named.filter(
    (path) => !written.has(path) && !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)),
  );
  expect(missing).toEqual([]);
});

test.each(PAGES)('the links of %s have existing targets', (page) => {
  const links = parts(textOf(page).replaceAll(CODE_BLOCK, ''), LINK).filter((link) => !/^[a-z]+:/.test(link));
  const broken = links.filter((link) => {
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : relative(root, join(root, dirname(page), path!)).replaceAll('\\', '/');
    if (target.startsWith('..') || !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('every page of the behaviour reference is in its index, and its paragraphs are numbered without gaps', () => {
  const index = textOf('docs/behaviour/README.md');
  const pages = PAGES.filter((page) => page.startsWith('docs/behaviour/') && !page.endsWith('README.md'));
  const unlisted = pages.filter((page) => !index.includes(`(${page.slice('docs/behaviour/'.length)})`));
  const numbers = Object.fromEntries(pages.map((page) => [page, parts(textOf(page), /^(\d+)\. /gm).map(Number)]));
  const gaps = pages.filter((page) => numbers[page]!.some((number, at) => number !== at + 1) || !numbers[page]!.length);
  expect({ unlisted, gaps }).toEqual({ unlisted: [], gaps: [] });
});

test('cited paragraphs of the behaviour reference exist', () => {
  const behaviour = (page: string) => join('docs/behaviour', `${page}.md`);
  const has = (page: string, number: string) =>
    existsSync(join(root, behaviour(page))) && textOf(behaviour(page)).includes(`\n${number}. `);
  const cited = (files: string[], pattern: RegExp) =>
    files.flatMap((file) => [...textOf(file).matchAll(pattern)].map(([, page, number]) => ({ file, page, number })));
  const citations = [
    ...cited([...below('src', '.ts'), ...below('test', '.ts')], /behaviour\/([a-z-]+) (\d+)/g),
    ...cited(below('docs/behaviour', '.md'), /\]\(([a-z-]+)\.md\) (\d+)/g),
  ];
  expect(citations.length).toBeGreaterThan(0);
  expect(citations.filter(({ page, number }) => !has(page!, number!))).toEqual([]);
});

test('the README names every command', () => {
  const rows = textOf('README.md').split('\n');
  const files = readdirSync(join(root, 'src/cli')).filter((name) => name.endsWith('.command.ts'));
  const commands = ['serve', ...files.map((name) => name.replace('.command.ts', ''))];
  const missing = commands.filter((name) => !rows.some((row) => new RegExp(`^\\|.*\`${name}[ \`]`).test(row)));
  expect(missing).toEqual([]);
});
