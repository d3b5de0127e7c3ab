import { expect, test } from '@jest/globals';
import { readKey } from '../../../src/http/resource/read-key.js';
import { parseQuery } from '../../../src/http/request/parse-query.js';
import { compileSite } from '../../../src/schema/compile-site.js';

const model = compileSite('schemas').byName.get('post')!;
const keyOf = (query: string) => readKey(model, 'list', parseQuery(query))?.text;

test.each([
  ['slug=a%26orderby=title', 'slug=a&orderby=title'],
  ['slug=a%26orderby=5:title', 'slug=a&orderby=title'],
  ['slug=a%26cursor', 'slug=a&cursor='],
  ['x%3D1%26date[gt]=1', 'x=1&date[gt]=1'],
  ['author[eq]=1', 'author=1'],
  ['expand=author', ''],
  ['cursor=', ''],
])('%s is not read as %s', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each([
  ['cursor=abc', 'cursor=def'],
  ['page=2', 'page=3'],
  ['unknown=1', ''],
])('%s and %s have one statement', (one, other) => {
  expect(keyOf(one)).toBeDefined();
  expect(keyOf(one)).toBe(keyOf(other));
});

test.each(['aggregate=count', '_embed', 'group=status', 'page=0', 'slug[]=a'])('%s is not read directly', (query) => {
  expect(keyOf(query)).toBeUndefined();
});
