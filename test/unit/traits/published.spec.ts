import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { publishedTrait } from '../../../src/traits/published/published.trait.js';
import { draftOf, emptyPlan, invent, type Invented } from './invented.js';

const resource = (name: string, options: object, traits: object = { dated: {} }): ResourceSchema => ({
  name,
  path: `${name}s`,
  fields: { author: { type: 'reference', to: 'person' }, host: { type: 'reference', to: 'song' } },
  traits: { ...traits, trashable: {}, published: { capabilities: 'songs', ...options } },
});

let site: Invented;
beforeAll(async () => {
  site = await invent(
    { name: 'person', path: 'people', fields: { called: { type: 'string' } } },
    resource('song', {}),
    resource('cover', { inherit: 'host', listed: 'inherit' }),
    resource('sketch', { schedule: false }, {}),
  );
});
afterAll(() => site.close());

describe('the status of an item', () => {
  const PAST = '2030-05-06T07:08:09';
  const SOON = '2030-05-06T07:09:08';
  const FUTURE = '2030-05-06T07:09:09';
  it.each([
    ['publish', PAST, undefined, 'publish'],
    ['publish', SOON, undefined, 'publish'],
    ['publish', FUTURE, undefined, 'future'],
    ['future', PAST, undefined, 'publish'],
    ['draft', FUTURE, undefined, 'draft'],
    ['private', FUTURE, undefined, 'private'],
    [undefined, FUTURE, { status: 'publish', date_gmt: PAST }, 'future'],
    [undefined, undefined, { status: 'future', date_gmt: PAST }, 'publish'],
    [undefined, PAST, { status: 'draft', date_gmt: PAST }, undefined],
  ])('%s with the date %s is %s', (status, date, current, wanted) => {
    const draft = draftOf({ ...(status ? { status } : {}), ...(date ? { date_gmt: date } : {}) });
    void site.hooks(publishedTrait, 'song').input!(draft, site.op('song'), current);
    expect(draft.row['status']).toBe(wanted);
  });

  it('does not depend on the date where nothing is scheduled', () => {
    const draft = draftOf({ status: 'publish' });
    void site.hooks(publishedTrait, 'sketch').input!(draft, site.op('sketch'), undefined);
    expect(draft.row['status']).toBe('publish');
    expect(publishedTrait.tasks!(site.model('sketch'), { capabilities: 'songs', schedule: false })).toEqual({});
  });
});

describe('a list', () => {
  it.each([
    ['song', undefined, ['publish']],
    ['song', [], ['publish']],
    ['song', ['draft', 'private'], ['draft', 'private']],
    ['cover', undefined, ['inherit', 'publish']],
    ['cover', ['private'], ['private']],
  ])('of %ss with status %j shows %j', (name, status, wanted) => {
    const plan = emptyPlan();
    const params = status === undefined ? {} : { status };
    void site.hooks(publishedTrait, name).scope!(plan, site.op(name, { kind: 'list', params }));
    expect(plan.known.get('status')).toEqual(wanted);
    expect(plan.where).toHaveLength(1);
  });

  it.each([
    [['any'], false],
    [['trash', 'any'], true],
    [['any', 'trash'], true],
  ])('with the states %j includes trashed items: %s', (status, trash) => {
    const plan = emptyPlan();
    void site.hooks(publishedTrait, 'song').scope!(plan, site.op('song', { kind: 'list', params: { status } }));
    expect(plan.known.get('status')).toEqual(
      expect.arrayContaining(['publish', 'future', 'draft', 'pending', 'private']),
    );
    expect(plan.known.get('status')!.includes('trash')).toBe(trash);
  });
});

it.each([
  ['pending', [], true],
  ['pending', ['publish_songs'], false],
  ['draft', [], false],
])('the status %s for a caller who may %j is undecided: %s', (status, may, wanted) => {
  const { actor } = site.op('song', { may });
  expect(site.model('song').faces.publication!.isUndecided(status, actor)).toBe(wanted);
});
