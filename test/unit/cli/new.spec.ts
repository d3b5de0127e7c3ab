// `new`: fields in short, what is asked on a terminal, and files that pass `check` and the formatter.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { format } from 'prettier';
import { newCommand } from '../../../src/cli/new.command.js';
import { promptForFields } from '../../../src/cli/new/prompt-for-fields.js';
import { explainShortForms, parseShortForm, splitShortForms } from '../../../src/cli/new/short-forms.js';
import { pluralOf, schemaText } from '../../../src/cli/new/starter.js';
import { fieldTypes } from '../../../src/fields/registry.js';
import { compileSite } from '../../../src/schema/compile-site.js';
import { writtenText } from '../../support/written-text.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-new-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the short form of a field', () => {
  it.each([
    ['title', { type: 'string' }],
    ['title:string!', { type: 'string', required: true }],
    ['born:date?', { type: 'date', nullable: true }],
    ['pages:integer=1', { type: 'integer', default: 1 }],
    ['open:boolean=false', { type: 'boolean', default: false }],
    ['author:reference(author)', { type: 'reference', to: 'author' }],
    ['author:reference:author!', { type: 'reference', to: 'author', required: true }],
    ['about:references(post, page)', { type: 'references', to: ['post', 'page'] }],
    ['state:string(draft,live)=draft', { type: 'string', enum: ['draft', 'live'], default: 'draft' }],
    ['title:string(80)!', { type: 'string', maxLength: 80, required: true }],
    ['code:string(2..8)', { type: 'string', minLength: 2, maxLength: 8 }],
    ['stars:integer(1..5)', { type: 'integer', minimum: 1, maximum: 5 }],
    ['least:number(-1.5..)', { type: 'number', minimum: -1.5 }],
    ['price:decimal(10,2)', { type: 'decimal', precision: 10, scale: 2 }],
    ['link:uri=https://example.org/?a=1', { type: 'uri', default: 'https://example.org/?a=1' }],
  ])('%s', (text, schema) => {
    expect(parseShortForm(text)).toEqual({ name: text.split(/[:=!?]/)[0], schema });
  });

  it.each([
    ['Title', '"Title" is not a field name'],
    [':string', 'is not a field. Write name:type'],
    ['a:strin', 'there is no type "strin". Did you mean string? Types are: id, integer,'],
    ['a:computed', 'there is no type "computed"'],
    ['a:reference', 'names the resource it refers to: a:reference(author)'],
    ['a:references(b,)', 'names the resource it refers to'],
    ['a:boolean(3)', 'boolean does not take (3), but nothing in parentheses'],
    ['a:integer(x)', 'integer does not take (x), but least..most: (1..5)'],
    ['a:decimal(x)', 'decimal does not take (x), but digits: (10,2)'],
    ['a:string()', 'nothing stands where a value is expected'],
    ['a:integer=1.5', 'the default of integer is a whole number, not "1.5"'],
    ['a:boolean=maybe', 'the default of boolean is true or false'],
    ['a:strings=x', 'the default of strings is not said in short'],
  ])('%s is refused with what is allowed', (text, message) => {
    expect(() => parseShortForm(text)).toThrow(message);
  });

  it('ends at a space outside parentheses', () => {
    expect(splitShortForms(' a:string(b, c)=b  d:reference(x, y)! e ')).toEqual([
      'a:string(b, c)=b',
      'd:reference(x, y)!',
      'e',
    ]);
  });

  it('is explained for every type that has one', () => {
    const text = explainShortForms();
    const silent = [...fieldTypes.keys()].filter((name) => !new RegExp(`^  ${name}[( ]`, 'm').test(text));
    expect(silent).toEqual(['computed']);
    // The examples are forms themselves.
    const examples = text.match(/\b[a-z]+:[a-z]\S*/g)!.filter((each) => !each.startsWith('name:type'));
    expect(examples.length).toBeGreaterThan(8);
    for (const example of examples) expect(() => parseShortForm(example.replace(/,$/, ''))).not.toThrow();
  });
});

describe('the file', () => {
  it('contains every type, passes the compiler, and is formatted', async () => {
    const directory = join(folder, 'every');
    const others = [...fieldTypes.values()].filter(({ name, keys }) => name !== 'id' && !keys['function']);
    const fields = others.map(({ name, keys }) =>
      parseShortForm(`${name}_field:${name}${keys['to'] ? '(thing)' : ''}`),
    );
    const given = {
      name: 'thing',
      directory,
      fields: [parseShortForm('title!'), ...fields],
      permissions: 'public-read',
    };
    const text = schemaText(given as Parameters<typeof schemaText>[0]);
    const schema = JSON.parse(text);
    expect(schema.$comment).toContain('docs/schemas.md');
    for (const field of Object.values<{ description: string }>(schema.fields)) expect(field.description).not.toBe('');
    expect(schema.search.fields).toEqual(expect.arrayContaining(['title', 'text_field']));
    expect(schema.search.fields).not.toContain('password_field');
    expect(schema.list.orderby).toEqual(expect.arrayContaining(['id', 'title', 'date_field', 'integer_field']));
    expect(schema.fields['reference_field'].filterable).toBe('in');
    expect(await format(text, { parser: 'json', printWidth: 120 })).toBe(text);
  });

  it.each([
    ['book', 'books'],
    ['category', 'categories'],
    ['day', 'days'],
    ['box', 'boxes'],
    ['match', 'matches'],
  ])('of a %s is at /%s', (name, path) => expect(pluralOf(name)).toBe(path));
});

describe('the command', () => {
  const directory = join(folder, 'own');
  const kept = process.env['SCHEMAS_DIR'];
  beforeAll(() => {
    process.env['SCHEMAS_DIR'] = directory;
  });
  afterAll(() => {
    if (kept === undefined) delete process.env['SCHEMAS_DIR'];
    else process.env['SCHEMAS_DIR'] = kept;
  });

  /** Runs `new` in this process; resolves with what it throws, and what its help prints. */
  async function made(...args: string[]): Promise<string> {
    let printed = '';
    const program = new Command('typecase').exitOverride();
    newCommand(program);
    const [command] = program.commands;
    command!.exitOverride().configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined });
    await program.parseAsync(['node', 'typecase', 'new', ...args]).catch((error: Error) => (printed += error.message));
    return printed;
  }

  it('writes files that refer to each other, and none that does not compile', async () => {
    expect(await made('book', 'title:string!', 'author:reference(author)')).toContain('unknown resource "author"');
    expect(existsSync(directory)).toBe(false);
    expect(await made('author', 'name!')).toBe('');
    expect(await made('book', 'title:string! author:reference(author)', '--permissions', 'closed')).toBe('');
    const models = compileSite(directory);
    expect(models.byName.get('book')!.fields.get('author')!.targets).toEqual([models.byName.get('author')]);
    expect(JSON.parse(readFileSync(join(directory, 'book.json'), 'utf8')).permissions).toBe('closed');
    expect(await made('book', 'title')).toContain('exists already');
    expect(await made('shelf', 'a', 'a:text')).toBe('The field "a" is given twice.');
    expect(await made('shelf', ' ')).toContain('At least one field is needed');
    expect(await made('shelf', 'a', '--permissions', 'all')).toContain('Allowed choices are closed, signed-in-read');
    expect(await made('Shelf', 'a')).toContain('A resource is named with lower-case letters');
    expect(existsSync(join(directory, 'shelf.json'))).toBe(false);
  });

  it('reports a problem of another file as such', async () => {
    writeFileSync(join(directory, 'broken.json'), '{');
    expect(await made('shelf', 'label!')).toMatch(/the other schema files have problems\.\n.*broken\.json/);
    rmSync(join(directory, 'broken.json'));
  });

  it('explains the short forms with --help', async () => {
    expect(await made('--help')).toContain(explainShortForms());
  });
});

describe('on a terminal', () => {
  /** Answers each prompt with the next line. */
  async function typed(...lines: string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const asked = promptForFields('book', { input, output });
    for (const line of lines) input.write(`${line}\n`);
    input.end();
    const fields = await asked;
    return { fields, shown: writtenText(output) };
  }

  it('accepts fields until an empty line, and reports invalid ones', async () => {
    const { fields, shown } = await typed(
      '',
      'title:string! price:nummer',
      '?',
      'price:number',
      'title:text!',
      '',
      'x',
    );
    expect(fields).toEqual([
      { name: 'title', schema: { type: 'text', required: true } },
      { name: 'price', schema: { type: 'number' } },
    ]);
    expect(shown).toContain('At least one field is needed.');
    expect(shown).toContain('price: there is no type "nummer". Did you mean number?');
    expect(shown).toContain(explainShortForms());
    expect(shown).toContain('changed title (text)');
  });

  it('returns nothing when the input ends before an empty line', async () => {
    expect((await typed('title')).fields).toBeUndefined();
  });
});
