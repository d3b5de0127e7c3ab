// Reading a folder of schema files: positions, and every way in which JSON can be wrong.
import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { formatProblem } from '../../../src/errors/problem.js';
import { loadSchemas, parseSchema } from '../../../src/schema/load/load.js';

function folder(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'typecase-load-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

const shown = (path: string) => relative(process.cwd(), path).split(sep).join('/');

describe('a folder of schemas', () => {
  it('reads *.json sorted by name and ignores other files', () => {
    const directory = folder({ 'loan.json': '{}', 'author.json': '{"a":1}', 'readme.md': '#', '.hidden.json': 'x' });
    const { files, problems } = loadSchemas(directory);
    expect(problems).toEqual([]);
    expect(files.map(({ file }) => file)).toEqual([
      shown(join(directory, 'author.json')),
      shown(join(directory, 'loan.json')),
    ]);
    expect(files[0]).toMatchObject({ text: '{"a":1}', schema: { a: 1 } });
  });

  it('is refused when it is missing, not a folder, or empty', () => {
    const empty = folder({});
    const file = join(folder({ 'a.json': '{}' }), 'a.json');
    expect(loadSchemas(join(empty, 'nowhere')).problems[0]?.message).toBe(
      'the folder of schemas cannot be read: it does not exist',
    );
    expect(loadSchemas(file).problems[0]?.message).toBe('the folder of schemas cannot be read: it is not a folder');
    expect(loadSchemas(empty).problems[0]?.message).toBe('no *.json file in this folder');
    expect(loadSchemas(empty).problems[0]?.hint).toContain('SCHEMAS_DIR');
  });

  it('reports unreadable files and reads the others', () => {
    const directory = folder({ 'book.json': '{}' });
    mkdirSync(join(directory, 'folder.json'));
    symlinkSync(join(directory, 'gone'), join(directory, 'link.json'));
    const { files, problems } = loadSchemas(directory);
    expect(files).toHaveLength(1);
    expect(problems.map(({ message }) => message)).toEqual([
      'cannot be read: it is a folder',
      'cannot be read: it does not exist',
    ]);
  });

  it('requires UTF-8, with or without a byte order mark', () => {
    const directory = folder({ 'mark.json': '\uFEFF{"a":1}' });
    writeFileSync(join(directory, 'latin.json'), Buffer.from('{"description": "B\u00FCcher"}', 'latin1'));
    writeFileSync(join(directory, 'wide.json'), Buffer.from('\uFEFF{}', 'utf16le'));
    const { files, problems } = loadSchemas(directory);
    expect(files.map(({ schema }) => schema)).toEqual([{ a: 1 }]);
    expect(problems.map(({ message }) => message)).toEqual(Array(2).fill('cannot be read: it is not in UTF-8'));
  });
});

describe('positions', () => {
  const { file } = parseSchema('book.json', '{\n  "name": "book",\n  "list": [1, {"a": true}],\r\n  "x/y": {}\n}');
  it.each<[(string | number)[], 'key' | 'value', number, number]>([
    [[], 'value', 1, 1],
    [['name'], 'value', 2, 11],
    [['name'], 'key', 2, 3],
    [['list', 1, 'a'], 'value', 3, 21],
    [['list', '1', 'a'], 'key', 3, 16],
    [['list', 7], 'value', 3, 11],
    [['x/y'], 'value', 4, 10],
    [['x/y', 'gone', 'further'], 'key', 4, 10],
    [['gone'], 'value', 1, 1],
  ])('%j (%s) is at %i:%i', (path, at, line, column) => {
    expect(file.locate(path, at)).toEqual({ line, column });
  });
});

describe('JSON mistakes', () => {
  it.each<[string, string[], boolean]>([
    ['{"a": 1,}', ['b.json:1:8: trailing comma: nothing follows it'], false],
    ['{"a": [1, 2,\n]}', ['b.json:1:12: trailing comma: nothing follows it'], false],
    ['{"a": 1 // one\n}', ['b.json:1:9: comments are not allowed in JSON'], false],
    [
      '/* a */ {"a": 1,}',
      ['b.json:1:1: comments are not allowed in JSON', 'b.json:1:16: trailing comma: nothing follows it'],
      false,
    ],
    ['{"a": 1, "b": {"c": 1,\n"c": 2}}', ['b.json:2:1 b.c: key "c" is written twice, first in line 1'], false],
    ['[{"a": 1, "a": 2}]', ['b.json:1:11 0.a: key "a" is written twice, first in line 1'], false],
    ['', ['b.json:1:1: the file is empty'], true],
    ['  \n', ['b.json:2:1: the file is empty'], true],
    ['{"a": 1', ['b.json:1:8: a closing } is missing'], true],
    ['{"a": [1', ['b.json:1:9: a closing ] is missing'], true],
    ['{a: 1}', ['b.json:1:2: not JSON: names and texts stand in double quotes'], true],
    ["{'a': 1}", ['b.json:1:2: not JSON: names and texts stand in double quotes'], true],
    ['{"a": 1\n "b": 2}', ['b.json:2:2: a comma is expected here'], true],
    ['{"a" 1}', ['b.json:1:6: a colon is expected here'], true],
    ['{"a":, "b": 2}', ['b.json:1:6: a value is expected here'], true],
    ['{"a": "x\n"}', ['b.json:1:7: the text is not closed with a double quote'], true],
    ['{"a": "\\x"}', ['b.json:1:7: not a JSON escape; a backslash is written \\\\'], true],
    ['{"a": 1} {', ['b.json:1:10: the file should end here'], true],
  ])('%j', (text, expected, broken) => {
    const { file, problems } = parseSchema('b.json', text);
    expect(problems.map(formatProblem)).toEqual(expected);
    expect(file.broken ?? false).toBe(broken);
  });

  it('are reported after a byte order mark, and the readable part is kept', () => {
    expect(parseSchema('b.json', '\uFEFF{"a": 1}')).toMatchObject({ problems: [], file: { schema: { a: 1 } } });
    expect(parseSchema('b.json', '{"name": "book", "x": ').file).toMatchObject({
      broken: true,
      schema: { name: 'book' },
    });
  });
});
