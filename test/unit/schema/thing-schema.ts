// A resource "thing" among members, genres and a registry, all sound: cases change it. For the specs of what compileSite refuses.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StartupError, formatProblem, type Problem } from '../../../src/errors/problem.js';
import { compileSite, siteWarnings } from '../../../src/schema/compile-site.js';

/** A change of "thing" and the lines that follow from it, each from the line number on. */
export interface Case {
  about: string;
  /** Members of `traits`, on the line after the fields. */
  traits?: string;
  /** Fields taken away. */
  without?: string[];
  /** Further fields, on the second line. */
  fields?: string;
  /** Further keys, on the last line. */
  rest?: string;
  lines: string[];
}

const MEMBER = `{"name": "member", "path": "members", "fields": {
  "username": {"type": "string"}, "email": {"type": "string"}, "password": {"type": "password"},
  "roles": {"type": "strings"}, "friend": {"type": "reference", "to": "member"}}, "traits": {"account": {}}}`;
const GENRE = `{"name": "genre", "path": "genres", "storage": {"where": {"kynd": "genre"}}, "fields": {
  "name": {"type": "string"}, "thing": {"type": "reference", "to": "thing"}},
  "traits": {"sluggable": {"from": "name"}, "term": {}}}`;
const SHELF = `{"name": "shelf", "path": "shelves", "key": "slug", "fields": {"slug": {"type": "string"}},
  "storage": {"static": "shelf", "rows": [{"slug": "a"}]}}`;
const FIELDS: Record<string, string> = {
  title: '{"type": "string"}',
  name: '{"type": "string"}',
  text: '{"type": "rendered"}',
  status: '{"type": "string", "enum": ["draft", "publish"], "allowStored": ["trash"], "default": "draft"}',
  author: '{"type": "reference", "to": "member"}',
  parent: '{"type": "reference", "to": "thing"}',
  genres: '{"type": "references", "to": "genre"}',
  friends: '{"type": "references", "to": "member"}',
  sticky: '{"type": "boolean"}',
  pages: '{"type": "integer"}',
  kind: '{"type": "string"}',
};

/** The text of thing.json with the changes of a case. */
export function thing({ traits = '', without = [], fields, rest }: Omit<Case, 'about' | 'lines'> = {}): string {
  const kept = Object.entries(FIELDS).filter(([name]) => !without.includes(name));
  const usual = kept.map(([name, field]) => `"${name}": ${field}`).join(', ');
  const all = `${usual}${fields ? `,\n${fields}` : ''}`;
  const more = rest ? `,\n${rest}` : '';
  return `{"name": "thing", "path": "things", "fields": {${all}},\n"traits": {${traits}}${more}}`;
}

/** What compileSite says about a folder with these files, or undefined; anything but a StartupError is thrown on. */
export function problemsOf(files: Record<string, string>): string[] | undefined {
  return inFolder(files, (folder) => {
    try {
      compileSite(folder);
      return undefined;
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      return lines(error.problems);
    }
  });
}

/** Warnings about thing.json, where roles hold these capabilities. `others`: more files. */
export function warningsOf(text: string, held: string[], others: Record<string, string> = {}): string[] {
  const found = inFolder({ ...others, 'thing.json': text }, (folder) => lines(siteWarnings(folder, new Set(held))));
  return found.filter((line) => line.startsWith('thing.json'));
}

function inFolder<T>(files: Record<string, string>, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-schemas-'));
  const all = { 'member.json': MEMBER, 'genre.json': GENRE, 'shelf.json': SHELF, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lines(problems: readonly Problem[]): string[] {
  return problems.map((problem) => formatProblem({ ...problem, file: basename(problem.file) }));
}
