// docs/errors.md says what the code does: every code with its status, none missing, none invented.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../../src/errors/catalogue.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { VALUE_CODES } from '../../../src/fields/value-issue.js';

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

  it('lists every code of a value', () => {
    expect(cells(details).map(([code]) => code)).toEqual([...VALUE_CODES]);
  });

  it('says for every code when it comes', () => {
    expect(cells(codes).filter(([, , when]) => !when)).toEqual([]);
    expect(cells(details).filter(([, when]) => !when)).toEqual([]);
  });
});

describe('the catalogue', () => {
  it.each(Object.entries(catalogue))('%s has a status and a sentence', (code, entry) => {
    expect(entry?.status === 'auth' || ((entry?.status ?? 0) >= 400 && (entry?.status ?? 0) < 600)).toBe(true);
    expect(entry?.message).toMatch(/^[A-Z].*\.$/);
    expect(new ResourceError(code).body(true)).toMatchObject({ code, message: entry?.message });
  });
});
