// Rules that compare, rules between fields, strict handling, trees without loops, a trash of its own.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openHospital, type Hospital } from './stage.js';

let stage: Hospital;
const saved: SavedIds = {};

beforeAll(async () => {
  stage = await openHospital();
});
afterAll(() => stage.site.close());

const from = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);
const request = (method: Row['method'], path: string, status: number, more: Partial<Row> = {}): Row => ({
  name: `${method} ${path} ${more.as ?? 'anonymous'} ${JSON.stringify(more.body ?? '')}: ${status}`,
  method,
  path,
  status,
  ...more,
});
const nurse = { as: 'nurse' };
const failed = (details: object) => ({ code: 'rest_invalid_param', data: { details } });
const broken = (message: string) => ({ code: 'rest_check_failed', message });

describe('comparisons in rules', () => {
  scenario(
    () => stage,
    [
      request('POST', '/notices', 201, { ...nurse, body: { text: 'now' }, saveAs: 'now' }),
      request('POST', '/notices', 201, {
        ...nurse,
        body: { text: 'old', until: from(-2).slice(0, 10) },
        saveAs: 'old',
      }),
      request('POST', '/notices', 201, {
        ...nurse,
        body: { text: 'open', until: from(2).slice(0, 10) },
        saveAs: 'open',
      }),
      request('POST', '/notices', 201, { ...nurse, body: { text: 'later', from: from(1) }, saveAs: 'later' }),
      request('POST', '/notices', 201, {
        ...nurse,
        body: { text: 'ancient', from: '2000-01-01T00:00:00' },
        saveAs: 'ancient',
      }),
      request('GET', '/notices', 200, { items: ['now', 'open'], sends: { 'X-WP-Total': '2' } }),
      request('GET', '/notices', 200, { ...nurse, items: ['now', 'old', 'open', 'later', 'ancient'] }),
      request('GET', '/notices/{later}', 401),
      request('GET', '/notices/{open}', 200),
    ],
    saved,
  );

  test('are evaluated again as time passes', async () => {
    const until = from(2 / 86_400);
    const send = (text: string) =>
      stage.site.send('POST', '/notices', { as: stage.actors.nurse.headers, body: { text, from: until }, status: 201 });
    const list = async () => (await stage.site.send('GET', '/notices?per_page=50')).body.length as number;
    const before = await list();
    await send('in a moment');
    // Within the hour that the rule allows.
    expect(await list()).toBe(before + 1);
  });
});

describe('rules between fields', () => {
  const start = from(-1);
  const visits = '/patients/{anna}/visits';
  scenario(
    () => stage,
    [
      request('POST', '/patients', 201, { ...nurse, body: { name: 'Anna' }, saveAs: 'anna' }),
      request('POST', visits, 400, {
        ...nurse,
        body: { start, end: from(-2) },
        has: failed({ end: broken('A visit ends after it has begun.') }),
      }),
      request('GET', visits, 200, { ...nurse, items: [] }),
      request('POST', visits, 201, { ...nurse, body: { start, price: 20, paid: '19.99' }, saveAs: 'visit' }),
      request('PATCH', `${visits}/{visit}`, 400, {
        ...nurse,
        body: { paid: 20.01 },
        has: failed({
          paid: broken('Nobody pays more than the price.'),
          price: broken('Nobody pays more than the price.'),
        }),
      }),
      request('PATCH', `${visits}/{visit}`, 400, {
        ...nurse,
        body: { price: 19.98, beds: 3 },
        has: failed({ price: {}, beds: {} }),
      }),
      request('PATCH', `${visits}/{visit}`, 200, {
        ...nurse,
        body: { price: '19.99', beds: 2 },
        has: { price: '19.99' },
      }),
      request('PATCH', `${visits}/{visit}`, 200, { as: 'head', body: { paid: 21 }, has: { paid: '21.00' } }),
      request('PATCH', `${visits}/{visit}`, 400, { as: 'head', body: { end: from(-3) }, has: failed({ end: {} }) }),
      request('PATCH', `${visits}/{visit}`, 200, { as: 'head', body: { end: start, paid: 0, start: from(-40) } }),
      request('PATCH', `${visits}/{visit}`, 403, { ...nurse, body: { beds: 1 } }),
      request('DELETE', `${visits}/{visit}`, 403, nurse),
      request('DELETE', `${visits}/{visit}`, 200, { as: 'head' }),
    ],
    saved,
  );
});

/** A multipart body. */
function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe('strict handling', () => {
  const strict = { Prefer: 'respond-async, handling=strict' };
  const unknown = (params: object) => ({ code: 'rest_unknown_param', data: { status: 400, params } });
  const visits = '/patients/{anna}/visits';
  scenario(
    () => stage,
    [
      request('POST', visits, 400, {
        ...nurse,
        body: { start: from(0), ende: from(0), colour: 'red' },
        has: unknown({
          ende: 'ende is not a parameter of this request (did you mean "end"?).',
          colour: 'colour is not a parameter of this request.',
        }),
      }),
      request('GET', `${visits}?perpage=5`, 400, { ...nurse, has: unknown({ perpage: expect.any(String) }) }),
      request('GET', `${visits}?per_page=5&_fields=id`, 200, nurse),
      request('POST', visits, 201, {
        ...nurse,
        body: { start: from(0), patient: 5, id: 3, _links: {} },
        saveAs: 'strict',
      }),
      request('DELETE', `${visits}/{strict}?force=true`, 400, {
        as: 'head',
        has: unknown({ force: expect.any(String) }),
      }),
      request('GET', '/drugs?nmae=x', 200, { sends: { Vary: /, Prefer$/, 'Preference-Applied': undefined } }),
      request('GET', '/drugs?per_page=5', 200, { sends: { Vary: /^(?!.*Prefer).*Authorization/ } }),
      request('GET', '/drugs?per_page=5', 200, { headers: strict, sends: { 'Preference-Applied': 'handling=strict' } }),
      request('GET', '/drugs?nmae=x', 400, {
        headers: strict,
        sends: { Vary: /, Prefer$/, 'Preference-Applied': 'handling=strict' },
        has: unknown({ nmae: 'nmae is not a parameter of this request (did you mean "name"?).' }),
      }),
      request('GET', '/drugs?nmae=x', 200, { headers: { Prefer: 'handling=lenient' } }),
      request('POST', '/drugs', 400, {
        as: 'head',
        headers: strict,
        body: { name: 'Dust', prise: 3 },
        has: unknown({ prise: expect.any(String) }),
      }),
      ...['constructor', '__proto__', 'prototype'].flatMap((name) => {
        const refused = unknown({ [name]: `${name} is not a parameter of this request.` });
        const sends = { 'Preference-Applied': 'handling=strict' };
        const body = { name: 'Dust', ...JSON.parse(`{"${name}": 1}`) };
        return [
          request('GET', `/drugs?${name}=1`, 400, { headers: strict, sends, has: refused }),
          request('GET', `/drugs?name=%20&${name}=1`, 400, { headers: strict, sends, has: refused }),
          request('GET', `/drugs?${name}=1`, 200, { sends: { Vary: /, Prefer$/ } }),
          request('GET', `${visits}?${name}=1`, 400, { ...nurse, has: refused }),
          request('POST', '/drugs', 400, { as: 'head', headers: strict, body, has: refused }),
          request('POST', '/drugs', 400, {
            as: 'head',
            headers: strict,
            body: formOf({ name: 'Dust', [name]: '1' }),
            has: refused,
          }),
        ];
      }),
      request('GET', '/drugs?search=dust', 200, { items: [] }),
    ],
    saved,
  );
});

describe('a tree', () => {
  const loop = failed({ above: { code: 'rest_loop' } });
  scenario(
    () => stage,
    [
      request('POST', '/notices', 201, { ...nurse, body: { text: 'below', above: '{now}' }, saveAs: 'below' }),
      request('PATCH', '/notices/{now}', 400, { ...nurse, body: { above: '{below}' }, has: loop }),
      request('PATCH', '/notices/{now}', 400, { ...nurse, body: { above: '{now}' }, has: loop }),
      request('GET', '/notices/{now}', 200, { ...nurse, has: { above: 0 } }),
      request('PATCH', '/notices/{below}', 200, { ...nurse, body: { above: '{open}' }, has: { above: '{open}' } }),
    ],
    saved,
  );
});

describe('a trash without a status', () => {
  scenario(
    () => stage,
    [
      request('POST', '/patients', 201, { ...nurse, body: { name: 'Bert' }, saveAs: 'bert' }),
      request('DELETE', '/patients/{bert}', 401),
      request('DELETE', '/patients/{bert}', 200, { ...nurse, hasNot: ['status'] }),
      request('GET', '/patients', 200, { items: ['anna'] }),
      request('GET', '/patients', 200, { ...nurse, items: ['anna'] }),
      request('GET', '/patients?trash=true', 200, { items: [], sends: { 'X-WP-Total': '0' } }),
      request('GET', '/patients?trash=true', 200, { ...nurse, items: ['bert'] }),
      request('GET', '/patients/{bert}', 401),
      request('GET', '/patients/{bert}', 200, nurse),
      request('DELETE', '/patients/{bert}', 410, nurse),
      request('POST', '/patients/{bert}/restore', 401),
      request('PATCH', '/patients/{bert}', 200, { ...nurse, body: { status: '' } }),
      request('GET', '/patients', 200, { items: ['anna'] }),
      request('POST', '/patients/{bert}/restore', 200, { ...nurse, has: { name: 'Bert' } }),
      request('GET', '/patients', 200, { items: ['anna', 'bert'] }),
      request('DELETE', '/patients/{bert}?force=true', 200, nurse),
      request('GET', '/patients/{bert}', 404, nurse),
    ],
    saved,
  );
});
