// Mistakes in resources of found items, and in resources whose items can be found.
import { describe, expect, it } from '@jest/globals';
import { problemsOf, thing } from './thing-schema.js';

const SEARCH = '"search": {"fields": ["title"]}';
const FIELDS = '"id": {"type": "integer"}, "title": {"type": "string"}';

/** The text of finder.json; `rest` stands on its second line. */
function finder({ fields = FIELDS, storage = '"types": [{"name": "shelf"}]', rest = '' } = {}): string {
  const head = `"name": "finder", "path": "finder", "storage": {"found": "finder", ${storage}}, "fields": {${fields}}`;
  return `{${head}${rest && `,\n${rest}`}}`;
}

/** Another resource of the type "shelf". */
const other = (rest: string) =>
  `{"name": "other", "path": "others", "fields": {"title": {"type": "string"}, "day": {"type": "date"}},\n${rest}}`;

describe('a resource of found items', () => {
  it('is valid', () => {
    const found = thing({ rest: `${SEARCH}, "foundIn": {"finder": {}}` });
    expect(problemsOf({ 'finder.json': finder(), 'thing.json': found })).toBeUndefined();
    expect(problemsOf({ 'finder.json': finder({ storage: '"types": []' }), 'thing.json': thing() })).toBeUndefined();
    expect(
      problemsOf({
        'finder.json': finder({ rest: '"permissions": {"rules": {"read": "look"}}' }),
        'thing.json': found,
      }),
    ).toBeUndefined();
  });

  it.each<[string, Parameters<typeof finder>[0], string[]]>([
    [
      'a field that no result has',
      { fields: '"ttle": {"type": "string"}' },
      ['1:119 fields.ttle: a result has no member "ttle" (did you mean "title"?)'],
    ],
    [
      'a field with a column that no result has',
      { fields: '"name": {"type": "string", "column": "text"}' },
      ['1:119 fields.name: a result has no member "text" (it has: id, title, url, type, subtype)'],
    ],
    [
      'keys of a table',
      { rest: '"key": "title", "search": {"fields": ["title"]}, "seeds": []' },
      [
        '2:1 key: a resource of found items has no use for "key"',
        '2:17 search: a resource of found items has no use for "search"',
        '2:50 seeds: a resource of found items has no use for "seeds"',
      ],
    ],
    [
      'an operation that there cannot be',
      { rest: '"operations": ["list", "retrieve"]' },
      ['2:24 operations.1: found items cannot retrieve; they are listed'],
    ],
    [
      'an order',
      { rest: '"list": {"perPage": 5, "orderby": ["id"]}' },
      ['2:24 list.orderby: the list of found items has no use for "orderby"'],
    ],
    [
      'a type without a name',
      { storage: '"types": [{"subtypeAsType": true}]' },
      ['1:79 storage.types.0: "name" is missing'],
    ],
    [
      'a singleton',
      { rest: '"singleton": true' },
      ['2:1 singleton: a resource of found items has no use for "singleton"'],
    ],
    [
      'a rule about what is found',
      { rest: '"permissions": {"rules": {"read": {"any": ["look", {"is": {"title": "x"}}]}}}' },
      [
        '2:35 permissions.rules.read: a result has no columns that a rule could compare (require a capability; the rules of the resources that are found apply in any case)',
      ],
    ],
  ])('%s', (_about, text, lines) => {
    const messages = problemsOf({ 'finder.json': finder(text), 'thing.json': thing() });
    expect(messages).toEqual(lines.map((line) => `finder.json:${line}`));
  });
});

interface Found {
  about: string;
  /** Keys of thing.json. */
  rest: string;
  fields?: string;
  /** Keys of other.json. */
  besides?: string;
  line: string;
}

const CASES: Found[] = [
  {
    about: 'by what is not there',
    rest: `${SEARCH}, "foundIn": {"findr": {}}`,
    line: '3:46 foundIn.findr: there is no resource of found items "findr" (did you mean "finder"?)',
  },
  {
    about: 'without a search',
    rest: '"foundIn": {"finder": {}}',
    line: '3:23 foundIn.finder: its items cannot be found: there is no "search"',
  },
  {
    about: 'without a list',
    rest: `"operations": ["retrieve"], ${SEARCH}, "foundIn": {"finder": {}}`,
    line: '3:84 foundIn.finder: its items cannot be found: they cannot be listed',
  },
  {
    about: 'below others',
    rest: `"parent": {"resource": "genre", "field": "up"}, ${SEARCH}, "foundIn": {"finder": {}}`,
    fields: '"up": {"type": "reference", "to": "genre"}',
    line: '4:104 foundIn.finder: its items cannot be found: they live below others',
  },
  {
    about: 'by a title that is none',
    rest: `${SEARCH}, "foundIn": {"finder": {"title": "genres"}}`,
    line: '3:66 foundIn.finder.title: a field of type references cannot be a title (name one that shows a text)',
  },
  {
    about: 'by a title that there is not',
    rest: `${SEARCH}, "foundIn": {"finder": {"title": "titel"}}`,
    line: '3:66 foundIn.finder.title: unknown field "titel" (did you mean "title"?)',
  },
  {
    about: 'by a title of editors',
    rest: `${SEARCH}, "foundIn": {"finder": {"title": "memo"}}`,
    fields: '"memo": {"type": "string", "contexts": ["edit"]}',
    line: '4:66 foundIn.finder.title: the title "memo" is not shown to everybody who may read the item (name another "title")',
  },
  {
    about: 'by the title of a few, which nobody named',
    rest: '"search": {"fields": ["memo"]}, "foundIn": {"finder": {}}',
    fields: '"memo": {"type": "string", "read": "look"}',
    line: '4:55 foundIn.finder: the title "memo" is not shown to everybody who may read the item (name another "title")',
  },
  {
    about: 'under a URL that there is not',
    rest: `${SEARCH}, "foundIn": {"finder": {"url": "adress"}}`,
    line: '3:64 foundIn.finder.url: unknown field "adress"',
  },
  {
    about: 'under a URL that is none',
    rest: `${SEARCH}, "foundIn": {"finder": {"url": "pages"}}`,
    line: '3:64 foundIn.finder.url: a field of type integer cannot be a url (name one that shows a text)',
  },
  {
    about: 'as a subtype that stands for all',
    rest: `${SEARCH}, "foundIn": {"finder": {"subtype": "any"}}`,
    line: '3:56 foundIn.finder: "any" cannot be requested as a subtype (give them another "subtype")',
  },
  {
    about: 'as a subtype that another is',
    rest: `${SEARCH}, "foundIn": {"finder": {"type": "shelf", "subtype": "one"}}`,
    besides: `${SEARCH}, "foundIn": {"finder": {"type": "shelf", "subtype": "one"}}`,
    line: '3:56 foundIn.finder: "other" is the subtype "one" of "shelf" already (give them another "subtype")',
  },
  {
    about: 'in another order',
    rest: `${SEARCH}, "foundIn": {"finder": {"type": "shelf"}}`,
    besides: `${SEARCH}, "list": {"orderby": ["day", "id"], "defaultOrderby": "day"}, "foundIn": {"finder": {"type": "shelf"}}`,
    line: '3:56 foundIn.finder: the type "shelf" cannot be put in order: by relevance, then by varchar desc (other), by relevance, then by id desc (thing) (give them another "type")',
  },
  {
    about: 'with another mode',
    rest: `${SEARCH}, "foundIn": {"finder": {"type": "shelf"}}`,
    besides: '"search": {"fields": ["title"], "mode": "phrase"}, "foundIn": {"finder": {"type": "shelf"}}',
    line: '3:56 foundIn.finder: the type "shelf" cannot be put in order: by id desc (other), by relevance, then by id desc (thing) (give them another "type")',
  },
];

describe('search results of several resources', () => {
  it.each(CASES.map((made) => [made.about, made] as const))('%s', (_about, { rest, fields, besides, line }) => {
    const files = { 'finder.json': finder(), 'thing.json': thing({ rest, ...(fields ? { fields } : {}) }) };
    const messages = problemsOf(besides ? { ...files, 'other.json': other(besides) } : files);
    expect(messages).toEqual([`thing.json:${line}`]);
  });
});
