// docs/errors.md says what the code does: every code with its status, none missing, none invented. The catalogue has every code that
// src/ and schemas/ return, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../../src/errors/catalogue.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { VALUE_CODES } from '../../../src/values/value-issue.js';

const [codes = '', details = ''] = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').split(
  '\n## Details\n',
);

function cells(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| code |'));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

describe('docs/errors.md', () => {
  it('lists every code of the catalogue with its status', () => {
    const documented = cells(codes).map(([code, status]) => `${code} ${status}`);
    const known = Object.entries(catalogue).map(([code, entry]) => {
      return `${code} ${entry?.status === 'auth' ? '401/403' : entry?.status}`;
    });
    expect(documented.sort()).toEqual(known.sort());
  });

  it('lists every error code of a value', () => {
    expect(cells(details).map(([code]) => code)).toEqual([...VALUE_CODES]);
  });

  it('describes the cause of every code', () => {
    expect(cells(codes).filter(([, , when]) => !when)).toEqual([]);
    expect(cells(details).filter(([, when]) => !when)).toEqual([]);
  });
});

describe('the catalogue', () => {
  it.each(Object.entries(catalogue))('%s has a status and a message', (code, entry) => {
    expect(entry?.status === 'auth' || ((entry?.status ?? 0) >= 400 && (entry?.status ?? 0) < 600)).toBe(true);
    expect(entry?.message).toMatch(/^[A-Z].*\.$/);
    expect(new ResourceError(code).body(true)).toMatchObject({ code, message: entry?.message });
  });
});

// `rest_base` is a field.
function looksLikeCode(text: string): boolean {
  return catalogue[text] !== undefined || (text.startsWith('rest_') && text !== 'rest_base');
}

type Found = [code: string, place: string];

function files(folder: string, ending: string): [path: string, text: string][] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const names = readdirSync(root + folder, { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
  return paths.map((path) => [path, readFileSync(root + path, 'utf8')]);
}

// Literals that look like a code or stand where one is expected.
function sourceCodes(): Found[] {
  return files('src', '.ts')
    .filter(([path]) => path !== 'src/errors/catalogue.ts')
    .flatMap(([path, text]) => {
      const quoted = [...text.matchAll(/'([a-z]+(?:_[a-z0-9]+)+)'/g)].map((match) => match[1]!);
      const places = [...text.matchAll(/(?:new ResourceError\(|\blike: )\s*(['`].*?['`])/g)];
      const expected = places.map((match) => match[1]!.slice(1, -1));
      const codes = quoted.filter((name) => looksLikeCode(name));
      return [...codes, ...expected].map((code): Found => [code, path]);
    });
}

// Strings where a code is expected, and those that look like one.
const CODE_WORDS = new Set(['error', 'errors', 'like', 'taken', 'tooLong', 'pageOutOfRange']);

function schemaCodes(): Found[] {
  return files('schemas', '.json').flatMap(([path, text]) =>
    [...codesIn(JSON.parse(text)), ...missingCodes(JSON.parse(text))].map((code): Found => [code, path]),
  );
}

/** The code for an item that is not there follows from the name unless the file says otherwise. */
function missingCodes({ name, errors, singleton, storage }: ResourceSchema): string[] {
  // No address names one of their items.
  if (singleton || (storage && 'found' in storage)) return [];
  return [errors?.notFound ?? `rest_${name.replaceAll('-', '_')}_invalid_id`];
}

function codesIn(value: unknown, expected = false): string[] {
  if (typeof value === 'string') return expected || looksLikeCode(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => codesIn(member, expected || CODE_WORDS.has(name)));
}

describe('codes in src/ and schemas/', () => {
  const raised = [...sourceCodes(), ...schemaCodes()];
  const codes = new Set(raised.map(([code]) => code));

  it('are in the catalogue', () => {
    expect(raised.filter(([code]) => !catalogue[code] && !(VALUE_CODES as readonly string[]).includes(code))).toEqual(
      [],
    );
  });

  it('cover the catalogue', () => {
    expect(Object.keys(catalogue).filter((code) => !codes.has(code))).toEqual([]);
  });

  it('are detected by this test', () => {
    const found = (place: string) => raised.filter((each) => each[1].startsWith(place)).length;
    expect([found('src/') > 200, found('schemas/') > 60]).toEqual([true, true]);
  });
});
