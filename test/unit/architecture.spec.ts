// Holds the shape of src/ against docs/architecture.md: who imports whom, no name of a shipped resource, one reader of the environment.
import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { computedFunctions } from '../../src/fields/computed/registry.js';
import { filters } from '../../src/filters/registry.js';
import type { ResourceSchema } from '../../src/model/schema/schema.js';
import { traits } from '../../src/traits/registry.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const filesBelow = (folder: string, ending = '.ts') =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).replaceAll('\\', '/'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = filesBelow('src').map((file) => ({
  file,
  tree: ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true),
}));

const imports = new Map<ts.SourceFile, string[]>();

/** What each room imports of others; exactly this. `cli`, `server` and the entry points put everything together. */
const ROOMS: Record<string, string[]> = {
  errors: [],
  concurrency: [],
  disk: [],
  model: ['text'],
  text: ['concurrency'],
  files: ['concurrency', 'disk', 'text'],
  outgoing: [],
  values: ['model', 'text'],
  fields: ['model', 'text', 'values'],
  filters: ['errors', 'fields', 'model', 'text', 'values'],
  traits: ['errors', 'fields', 'files', 'model', 'text', 'values'],
  schema: ['errors', 'fields', 'filters', 'model', 'text', 'traits', 'values'],
  storage: ['concurrency', 'disk', 'errors', 'model'],
  engine: ['errors', 'model', 'text', 'values'],
  events: ['concurrency', 'engine', 'maintenance', 'model', 'outgoing'],
  maintenance: ['engine', 'errors', 'model'],
  auth: ['concurrency', 'disk', 'errors', 'model'],
  http: ['auth', 'concurrency', 'engine', 'errors', 'files', 'model', 'text'],
  transfer: ['disk', 'engine', 'errors', 'maintenance', 'model', 'outgoing', 'text', 'values'],
  config: ['errors', 'model', 'text', 'values'],
};
const OPEN_ROOMS = ['cli', 'server'];
const ENTRY_POINTS = ['cli.ts', 'index.ts', 'main.ts'];
/** Files of one folder, sub-folders aside. */
const MOST_FILES = 25;

/** Packages that stay in the rooms named; everything else may be used anywhere. */
const PACKAGES: Record<string, string[]> = {
  '@nestjs/': ['http', 'server', 'top'],
  express: ['http', 'server', 'top'],
  '@modelcontextprotocol/': ['http', 'cli'],
  'class-transformer': ['http'],
  'class-validator': ['http'],
  // The server provides the DataSource to Nest.
  typeorm: ['storage', 'server'],
  mysql2: ['storage'],
  pg: ['storage'],
  libsql: ['storage'],
  ioredis: ['auth'],
  'prom-client': ['server'],
  '@opentelemetry/': ['server'],
  sharp: ['files'],
  busboy: ['files'],
  'sanitize-html': ['text'],
  saxes: ['transfer'],
  'cli-progress': ['transfer'],
  re2js: ['values'],
};

/**
 * Words that name a shipped resource and mean something else where they stand: each with the places and the reason.
 * A place is the beginning of a path below src/.
 */
const OTHER_MEANINGS: { word: string; places: string[]; reason: string }[] = [
  {
    word: 'page',
    places: ['engine/list-plan.ts', 'engine/list-page.ts', 'engine/found/', 'schema/grammar/standard-params.ts'],
    reason: 'list parameter of every collection',
  },
  {
    word: 'search',
    places: ['engine/', 'traits/', 'filters/', 'schema/', 'http/browse/'],
    reason: 'list parameter, and key of the schema files',
  },
  { word: 'type', places: ['engine/found/'], reason: 'parameter and member of results' },
  {
    word: 'type',
    places: ['schema/', 'model/schema/', 'model/functions/messages.ts'],
    reason: 'keyword of JSON Schema and of the schema files',
  },
  { word: 'type', places: ['text/allowed-tags.ts'], reason: 'attribute of HTML elements' },
  { word: 'status', places: ['http/response/error-response.ts'], reason: 'member of the errors of Node' },
  {
    word: 'status',
    places: ['traits/', 'fields/computed/'],
    reason: 'field that the traits published, trashable and moderated add',
  },
  { word: 'comment', places: ['values/pipelines.ts'], reason: 'name of a text pipeline' },
  { word: 'comment', places: ['text/'], reason: 'comments of HTML' },
  {
    word: 'terms',
    places: ['model/', 'schema/', 'engine/found/'],
    reason: 'way of searching: every word, or the phrase',
  },
  { word: 'pages', places: ['files/media-types.ts'], reason: 'ending of file names' },
  { word: 'attachment', places: ['files/'], reason: 'word of the header Content-Disposition' },
  { word: 'revision', places: ['traits/'], reason: 'name of a trait' },
  { word: 'audit-log', places: ['traits/'], reason: 'name of a trait' },
  { word: 'webhook', places: ['traits/'], reason: 'name of a trait' },
  { word: 'webhook-delivery', places: ['traits/'], reason: 'name of a trait' },
  { word: 'webhooks', places: ['cli.ts', 'cli/webhooks.command.ts'], reason: 'name of a command' },
  { word: 'type', places: ['http/openapi/webhooks.ts', 'traits/webhook/'], reason: 'member of what webhooks are sent' },
  { word: 'user', places: ['cli.ts', 'cli/user.command.ts'], reason: 'name of a command' },
  { word: 'types', places: ['cli.ts', 'cli/types.command.ts'], reason: 'name of a command' },
  { word: 'media', places: ['config/media-settings.ts'], reason: 'folder of uploaded files' },
];

/** Where traits, filters and computed functions are at home. */
const HOMES = ['traits/', 'filters/', 'fields/'];
/** Names of traits, filters and computed functions that mean something else where they stand. */
const OTHER_WORDS: { word: string; places: string[]; reason: string }[] = [
  {
    word: 'in',
    places: [
      'model/query.ts',
      'model/query-language.ts',
      'engine/rights/evaluate.ts',
      'storage/sql/',
      'storage/transactions/',
      'cli/predicate-text.ts',
      'http/browse/extent-of.ts',
    ],
    reason: 'operator of predicates',
  },
  ...['in', 'notIn', 'gte', 'lte', 'positive', 'referencedIn'].map((word) => ({
    word,
    places: ['schema/grammar/renamed-words.ts'],
    reason: 'new name of a word',
  })),
  ...['in', 'notIn'].map((word) => ({
    word,
    places: ['schema/check/check-policy.ts'],
    reason: 'key of permission steps',
  })),
  ...['gte', 'lte'].map((word) => ({
    word,
    places: ['model/schema/permission-schema.ts', 'schema/grammar/rules.ts'],
    reason: 'comparison in rules',
  })),
  {
    word: 'contains',
    places: [
      'model/query.ts',
      'engine/search.ts',
      'storage/sql/',
      'storage/mysql/word-covers.ts',
      'cli/predicate-text.ts',
    ],
    reason: 'operator of predicates',
  },
  { word: 'in', places: ['cli/new/starter.ts'], reason: 'filter of the schema files that it writes' },
  {
    word: 'published',
    places: ['events/recorder.ts', 'model/audit.ts', 'http/openapi/webhooks.ts'],
    reason: 'kind of event',
  },
  { word: 'function', places: ['schema/', 'model/registry.ts'], reason: 'key of fields and parameters' },
  { word: 'expression', places: ['schema/grammar/'], reason: 'definition of the grammar' },
  {
    word: 'function',
    places: ['http/request/json-pieces.ts', 'transfer/load/without-texts.ts', 'server/extensions/'],
    reason: 'type of a JavaScript value',
  },
  { word: 'namespace', places: ['http/endpoints/'], reason: 'kind of an index document' },
  ...['term', 'published', 'guid'].map((word) => ({
    word,
    places: ['transfer/wxr-file/'],
    reason: 'word of WordPress exports',
  })),
];

describe('top-level folders of src/', () => {
  const imports = new Map<string, Map<string, string[]>>();
  for (const { file, tree } of sources) {
    for (const target of importsOf(tree).filter((name) => name.startsWith('.'))) {
      const [from, to] = [roomOf(file), roomOf(normalize(join(dirname(file), target)))];
      if (from === to) continue;
      const arrows = imports.get(from) ?? new Map<string, string[]>();
      arrows.set(to, [...(arrows.get(to) ?? []), relative('src', file)]);
      imports.set(from, arrows);
    }
  }

  test('are those of the table', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).sort()).toEqual([...Object.keys(ROOMS), ...OPEN_ROOMS].sort());
  });

  test.each(Object.keys(ROOMS))('%s has only the imports of the table', (room) => {
    const arrows = imports.get(room) ?? new Map<string, string[]>();
    const wrong = [...arrows].filter(([to]) => !ROOMS[room]!.includes(to));
    expect(Object.fromEntries(wrong)).toEqual({});
    // An arrow nobody needs any more leaves the table.
    expect([...arrows.keys()].sort()).toEqual(ROOMS[room]);
  });

  test('the engine imports only the text form of meta values from values/', () => {
    const used = sources
      .filter(({ file }) => roomOf(file) === 'engine')
      .flatMap(({ tree }) => importsOf(tree).filter((name) => name.includes('/values/')));
    expect([...new Set(used)]).toEqual(['../values/meta-value.js']);
  });

  test('have at most two levels; src/ itself contains only the entry points', () => {
    const deep = sources.filter(({ file }) => file.split('/').length > 4).map(({ file }) => file);
    expect(deep).toEqual([]);
    const top = sources.filter(({ file }) => roomOf(file) === 'top').map(({ file }) => relative('src', file));
    expect(top.sort()).toEqual(ENTRY_POINTS);
  });

  test(`have at most ${MOST_FILES} files per folder`, () => {
    const sizes = new Map<string, number>();
    for (const { file } of sources) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > MOST_FILES)).toEqual([]);
  });

  test('have no circular imports, direct or indirect', () => {
    const arrows = new Map<string, Set<string>>();
    for (const { file, tree } of sources) {
      for (const target of importsOf(tree).filter((name) => name.startsWith('.'))) {
        const [from, to] = [dirname(file), dirname(normalize(join(dirname(file), target)))];
        if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set<string>()).add(to));
      }
    }
    expect(foldersInCycles(arrows)).toEqual([]);
  });

  const document = 'docs/architecture.md';
  (existsSync(join(root, document)) ? test : test.skip).each(Object.keys(ROOMS))(
    `${document} names what %s imports`,
    (room) => {
      const row = read(document)
        .split('\n')
        .find((line) => new RegExp(`^\\| [^|]*\\b${room}\\b[^|]*\\|`).test(line));
      for (const to of ROOMS[room]!) expect(row).toMatch(new RegExp(`\\b${to}\\b`));
    },
  );

  test.each(Object.entries(PACKAGES))('%s is imported only where it is allowed', (name, rooms) => {
    const users = sources.filter(({ tree }) =>
      importsOf(tree).some((target) => target === name || target.startsWith(name.endsWith('/') ? name : `${name}/`)),
    );
    const strangers = users.filter(({ file }) => !rooms.includes(roomOf(file))).map(({ file }) => file);
    expect(strangers).toEqual([]);
  });
});

describe('names of shipped resources', () => {
  const names = shippedNames();
  const found = sources
    .filter(({ file }) => roomOf(file) !== 'transfer')
    .flatMap(({ file, tree }) =>
      literalsOf(tree).map(({ text, line }) => ({ file: relative('src', file), text, line })),
    )
    .flatMap(({ text, ...place }) => text.split(/[/?#&=]/).map((word) => ({ word, ...place })))
    .filter(({ word }) => names.has(word));
  const explained = ({ word, file }: { word: string; file: string }) =>
    OTHER_MEANINGS.find((other) => other.word === word && other.places.some((place) => file.startsWith(place)));

  test('are read from the schema files', () => {
    expect([...names]).toEqual(
      expect.arrayContaining(['post', 'posts', 'attachment', 'media', 'contents', 'taxonomies']),
    );
  });

  test('do not occur as string literals in src/', () => {
    const faults = found
      .filter((each) => !explained(each))
      .map(({ file, line, word }) => `src/${file}:${line} "${word}"`);
    expect(faults).toEqual([]);
  });

  test.each(OTHER_MEANINGS)('"$word" is still used as $reason', ({ word, places }) => {
    for (const place of places) {
      const used = found.some((each) => each.word === word && each.file.startsWith(place));
      expect({ place, used }).toEqual({ place, used: true });
    }
  });
});

describe('names of traits, filters and computed functions', () => {
  const names = new Set([...traits.keys(), ...filters.keys(), ...computedFunctions.keys(), ...traitColumns()]);
  const found = sources
    .map(({ file, tree }) => ({ file: relative('src', file), tree }))
    .filter(({ file }) => !HOMES.some((home) => file.startsWith(home)))
    .flatMap(({ file, tree }) => literalsOf(tree).map(({ text, line }) => ({ file, text, line })))
    .filter(({ text }) => names.has(text));
  const explained = ({ text, file }: { text: string; file: string }) =>
    OTHER_WORDS.some(({ word, places }) => word === text && places.some((place) => file.startsWith(place)));

  test('include the names in the registries and the columns that traits add', () => {
    expect([...names]).toEqual(
      expect.arrayContaining(['published', 'granted-capabilities', 'referencedIn', 'trashed_at', 'login_key']),
    );
  });

  test('do not occur as string literals in other folders', () => {
    const faults = found
      .filter((each) => !explained(each))
      .map(({ file, line, text }) => `src/${file}:${line} "${text}"`);
    expect(faults).toEqual([]);
  });

  test.each(OTHER_WORDS)('"$word" is still used as $reason', ({ word, places }) => {
    for (const place of places) {
      const used = found.some(({ text, file }) => text === word && file.startsWith(place));
      expect({ place, used }).toEqual({ place, used: true });
    }
  });

  test('are the only source of the traits of a resource for the compiler', () => {
    const readers = sources.filter(({ file, tree }) => roomOf(file) !== 'schema' && readsTraits(tree));
    expect(readers.map(({ file }) => file).filter((file) => !file.startsWith('src/traits/'))).toEqual([
      // The style `tree` checks that paths are kept.
      'src/fields/computed/permalink.ts',
    ]);
  });
});

describe('environment variables', () => {
  test('are read only by config', () => {
    const readers = sources.filter(({ tree }) => usesEnvironment(tree)).map(({ file }) => file);
    expect(readers).toEqual(['src/config/config.ts']);
  });

  test('are the default argument of readConfig', () => {
    const { tree } = sources.find(({ file }) => file === 'src/config/config.ts')!;
    const lines = tree.text.split('\n').filter((line) => /process\.env\b/.test(line) && !line.startsWith('//'));
    expect(lines).toEqual([expect.stringContaining('readConfig(env: Environment = process.env')]);
  });
});

describe('spec files', () => {
  test('contain no skipped or exclusive tests', () => {
    const specs = filesBelow('test', '.spec.ts').filter((file) => !file.endsWith('architecture.spec.ts'));
    const alone = /\b(?:test|it|describe)\.(?:only|skip)\b|\b(?:fit|fdescribe|xit|xtest|xdescribe)\(/;
    // What needs something from outside this repository may be left out while that is missing: a choice made on the spot.
    const chosen = /^\s*else test\.skip\(|\? (test|it|describe)\b.* : \1\.skip\b/;
    const faults = specs.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) => (alone.test(line) && !chosen.test(line) ? [`${file}:${at + 1}`] : [])),
    );
    expect(faults).toEqual([]);
  });
});

function roomOf(file: string): string {
  const [, room = '', below] = file.split('/');
  return below === undefined ? 'top' : room;
}

/** Folders left when those that import nothing of the others are taken away again and again. */
function foldersInCycles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Set(arrows.keys());
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const folder of left) if (![...arrows.get(folder)!].some((to) => left.has(to))) left.delete(folder);
  }
  return [...left].sort();
}

function importsOf(tree: ts.SourceFile): string[] {
  const known = imports.get(tree);
  if (known) return known;
  const found: string[] = [];
  imports.set(tree, found);
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push((node.moduleSpecifier as ts.StringLiteral).text);
    }
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0]!)
    ) {
      found.push(node.arguments[0].text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Texts in a file, those of imports aside; of a template each piece between its values. */
function literalsOf(tree: ts.SourceFile): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push({ text: node.text, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Names, paths, tables and discriminators of the schema files. */
function shippedNames(): Set<string> {
  const schemas = filesBelow('schemas', '.json').map((file) => JSON.parse(read(file)));
  return new Set(
    schemas.flatMap(({ name, path, storage = {} }) =>
      [name, path, storage.table ?? [], Object.values(storage.where ?? {})].flat(),
    ),
  );
}

/** Internal columns that traits add; those of one word are ordinary words. */
function traitColumns(): string[] {
  const options = { capabilities: 'things', fields: [], floating: [], path: true };
  return [...traits.values()].flatMap((trait) => {
    const schema = { name: 'thing', path: 'things', fields: {} } as ResourceSchema;
    trait.extend?.(schema, options, new Set());
    const internal = Object.entries(schema.fields).filter(([, field]) => field.hidden);
    return internal.map(([name]) => name).filter((name) => name.includes('_'));
  });
}

/** Whether a file reads the member `traits` of a model or of a schema. */
function readsTraits(tree: ts.SourceFile): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    found ||= ts.isPropertyAccessExpression(node) && node.name.text === 'traits';
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function usesEnvironment(tree: ts.SourceFile): boolean {
  let used = false;
  const visit = (node: ts.Node): void => {
    used ||= ts.isPropertyAccessExpression(node) && node.name.text === 'env' && node.expression.getText() === 'process';
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return used;
}
