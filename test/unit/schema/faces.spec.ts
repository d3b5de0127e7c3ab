// What traits, filters and computed functions declare is in the model: no code has to refer to them by name.
import { describe, expect, it } from '@jest/globals';
import { compileSite } from '../../../src/schema/compile-site.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { SCHEMAS } from '../../cms/stage.js';

const shipped = compileSite(SCHEMAS).byName;
const stop = (path: unknown, message: string) => {
  throw new Error(`${String(path)}: ${message}`);
};
const compiled = (...schemas: ResourceSchema[]) =>
  compileModels(schemas.map((schema) => ({ schema: extendSchema(schema, stop), report: stop }))).byName;

describe('faces of the shipped resources', () => {
  it.each([
    ['post', ['ahead', 'counted', 'dates', 'name', 'password', 'publication', 'states', 'trash']],
    ['page', ['ahead', 'dates', 'name', 'password', 'publication', 'states', 'trash', 'tree']],
    ['attachment', ['dates', 'name', 'publication', 'states', 'trash', 'upload']],
    ['comment', ['asked', 'dates', 'states', 'trash', 'tree']],
    ['category', ['counter', 'name', 'stays', 'tree']],
    ['tag', ['counter', 'name']],
    ['user', ['accounts', 'name']],
    ['meta', []],
  ])('%s', (name, faces) => {
    expect(Object.keys(shipped.get(name)!.faces).sort()).toEqual(faces);
  });

  it.each([
    ['post', ['publish', 'purge']],
    ['attachment', ['purge']],
    // Two of its traits empty the trash; one does it.
    ['comment', ['purge']],
    ['tag', []],
  ])('tasks of %s', (name, tasks) => {
    expect([...shipped.get(name)!.tasks.keys()].sort()).toEqual(tasks);
  });

  it('an item password parameter exists only with traits that have passwords', () => {
    const opened = [...shipped.values()].filter(({ openings }) => openings.includes('password'));
    expect(opened.map(({ name }) => name).sort()).toEqual(['comment', 'page', 'post']);
  });

  it('the permalink is the field with the URL of the page', () => {
    expect(shipped.get('post')!.permalink?.name).toBe('link');
    expect(shipped.get('tag')!.permalink).toBeUndefined();
  });
});

describe('faces of an invented resource', () => {
  const fields: ResourceSchema['fields'] = {
    name: { type: 'string' },
    state: { type: 'string' },
    words: { type: 'strings' },
    extra: { type: 'object', hidden: true, additionalProperties: true },
    allowed: { type: 'computed', function: 'granted-capabilities', options: { roles: 'words' } },
    own: { type: 'computed', function: 'granted-capabilities', options: { roles: 'words', direct: true } },
  };
  const params: ResourceSchema['params'] = {
    filter: { type: 'object', filter: 'function', function: 'query-arguments', options: { arguments: {} } },
    name: { filter: 'contains' },
    state: { filter: 'equals' },
  };

  it('fields and parameters have what their definitions declare', () => {
    const model = compiled({ name: 'thing', path: 'things', fields, params }).get('thing')!;
    expect(model.fields.get('allowed')).toMatchObject({ grants: true, relations: ['words'] });
    expect(model.fields.get('own')!.grants).toBeUndefined();
    expect(model.fields.get('name')!.searchColumn).toBe('name_search');
    expect(model.fields.get('state')!.searchColumn).toBeUndefined();
    expect([...model.listParams.values()].filter(({ opaque }) => opaque).map(({ name }) => name)).toEqual(['filter']);
  });

  it('the trash adds its status to enumerations that no other trait defines', () => {
    const status = { type: 'string', enum: ['draft', 'publish'], contexts: ['edit' as const] };
    const keeps = (traits: ResourceSchema['traits']) =>
      extendSchema({ name: 'thing', path: 'things', fields: { status: { ...status } }, traits }, stop).fields['status']!
        .allowStored;
    expect(keeps({ trashable: {} })).toEqual(['trash']);
    expect(keeps({ published: { capabilities: 'things' }, trashable: {}, dated: {} })).toEqual([
      'trash',
      'inherit',
      'auto-draft',
    ]);
  });
});
