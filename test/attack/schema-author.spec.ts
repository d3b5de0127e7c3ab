// What a schema author forgets must not open anything: closed resources, fields that filter nothing, parents that hide.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Headers } from '../support/actors.js';
import { openClinic, type Clinic } from './clinic.js';

let clinic: Clinic;
const ids: Record<string, number> = {};

beforeAll(async () => {
  clinic = await openClinic();
  const { doctor, manager } = clinic.actors;
  await clinic.site.site.writer.batch(async ({ create }) => {
    ids['ward'] = await create('ward', { name: 'North' });
    ids['notice'] = await create('notice', { text: 'Closed on Monday', draft: 'and on Tuesday' });
    ids['ann'] = await create('patient', { name: 'Ann', doctor: doctor.id, keeper: doctor.id });
    ids['bob'] = await create('patient', { name: 'Bob', keeper: manager.id });
    ids['cid'] = await create('patient', { name: 'Cid', open: false, keeper: manager.id });
    ids['visit'] = await create('visit', { patient: ids['bob'], reason: 'cough', note: 'private' });
    ids['hidden'] = await create('visit', { patient: ids['cid'], reason: 'secret', note: 'private' });
    ids['group'] = await create('group', { title: 'Mondays', members: [ids['bob']] });
  });
  await secrets({ insurance: 'alpha', risk: 1 }, { insurance: 'omega', risk: 9 });
});
afterAll(() => clinic.close());

const OTHERS: Record<string, unknown>[] = [
  { alerts: ['cough'], seen: '2024-01-01T00:00:00', pin: '1111', trace: 'a' },
  { alerts: ['fever'], seen: '2025-01-01T00:00:00', pin: '9999', trace: 'z' },
];

/** Gives Ann and Bob these private values. */
async function secrets(ann: Record<string, unknown>, bob: Record<string, unknown>, others = OTHERS): Promise<void> {
  await clinic.site.site.writer.batch(async ({ update }) => {
    await update('patient', ids['ann']!, { ...others[0], ...ann });
    await update('patient', ids['bob']!, { ...others[1], ...bob });
  });
}

async function get(path: string, headers: Headers = {}) {
  const response = await clinic.site.send('GET', path, { as: headers });
  const names = Array.isArray(response.body) ? response.body.map((item: { name?: string }) => item.name) : undefined;
  return { status: response.status, body: response.body, total: response.headers['x-wp-total'], names };
}

const as = (name: 'manager' | 'doctor' | 'nurse') => clinic.actors[name].headers;

describe('a resource without permissions', () => {
  it('can be read by managers only', async () => {
    expect(await get('/wards')).toMatchObject({ status: 200, total: '0', body: [] });
    expect(await get('/wards', as('nurse'))).toMatchObject({ total: '0' });
    expect(await get(`/wards/${ids['ward']}`)).toMatchObject({ status: 401 });
    expect(await get(`/wards/${ids['ward']}`, as('nurse'))).toMatchObject({ status: 403 });
    expect(await get(`/wards/${ids['ward']}`, as('manager'))).toMatchObject({ status: 200, body: { name: 'North' } });
  });

  it('can be written by managers only', async () => {
    const { send } = clinic.site;
    expect((await send('POST', '/wards', { as: as('nurse'), body: { name: 'x' } })).status).toBe(403);
    expect((await send('PATCH', `/wards/${ids['ward']}`, { as: as('nurse'), body: { name: 'x' } })).status).toBe(403);
    expect((await send('DELETE', `/wards/${ids['ward']}`, { as: as('nurse') })).status).toBe(403);
    expect((await send('POST', '/wards', { as: as('manager'), body: { name: 'South' } })).status).toBe(201);
  });

  it('with "public-read" can be read by everybody, but not written', async () => {
    const { send } = clinic.site;
    expect(await get('/notices')).toMatchObject({ status: 200, total: '1' });
    expect((await get(`/notices/${ids['notice']}`)).body).not.toHaveProperty('draft');
    expect(await get(`/notices/${ids['notice']}?context=edit`, as('nurse'))).toMatchObject({ status: 403 });
    expect((await send('POST', '/notices', { as: as('nurse'), body: { text: 'x' } })).status).toBe(403);
  });
});

/** Every way to query private fields. */
const QUESTIONS = [
  'insurance=alpha',
  'insurance=omega',
  'insured_by=alph',
  'begins=alpha',
  'min_risk=5',
  'risky=true',
  'alert=cough',
  'no_alert=cough',
  'seen_after=2024-06-01T00:00:00Z',
  'keeper=1',
  'pin=1111',
  'trace=a',
  'danger=5',
  'search=alpha',
  'search=-alpha',
  'search=1111',
  'search=alpha&orderby=relevance',
  'orderby=insurance',
  'orderby=insurance&order=desc',
  'orderby=risk&order=asc',
  'orderby=risk&order=desc',
  'orderby=pin&order=desc',
  'orderby=trail&order=desc',
  'orderby=folded&order=desc',
  'order=asc',
  'order=desc',
  'filter[insured]=alpha',
  'filter[kept]=1',
  'filter[year]=2024',
  'filter[when][after]=2024-06-01',
  'filter[danger]=5',
  'filter[s]=alpha',
  'filter[s]=alpha&filter[exact]=true',
  'filter[orderby]=risk',
  'filter[orderby]=pin&order=desc',
  'filter[orderby]=trace&order=desc',
  'filter[orderby]=folded&order=desc',
];

describe('private fields', () => {
  it.each(['nobody', 'nurse'] as const)('reveal nothing to %s in any query of a list', async (caller) => {
    const headers = caller === 'nobody' ? {} : as(caller);
    const attempt = async () =>
      Promise.all(QUESTIONS.map(async (question) => [question, await get(`/patients?${question}`, headers)]));
    await secrets({ insurance: 'alpha', risk: 1 }, { insurance: 'omega', risk: 9 });
    const before = await attempt();
    const manager = await get('/patients?filter[insured]=alpha', as('manager'));
    await secrets({ insurance: 'omega', risk: 9 }, { insurance: 'alpha', risk: 1 }, [...OTHERS].reverse());
    expect(await attempt()).toEqual(before);
    expect((await get('/patients?filter[insured]=alpha', as('manager'))).names).not.toEqual(manager.names);
    await secrets({ insurance: 'alpha', risk: 1 }, { insurance: 'omega', risk: 9 });
  });

  it.each([
    ['insurance=alpha', 'rest_forbidden_param'],
    ['pin=1111', 'rest_forbidden_param'],
    ['trace=a', 'rest_forbidden_param'],
    ['danger=5', 'patient_danger'],
    ['orderby=insurance', 'rest_forbidden_orderby'],
    ['orderby=trail', 'rest_forbidden_orderby'],
  ])('are refused as %s to anonymous callers', async (question, code) => {
    expect(await get(`/patients?${question}`)).toMatchObject({ status: 401, body: { code } });
  });

  it.each(['pin=1111', 'trace=a', 'orderby=pin', 'orderby=trail'])(
    'cannot be used as %s, even by managers',
    async (question) => {
      expect(await get(`/patients?${question}`, as('manager'))).toMatchObject({ status: 403 });
    },
  );

  it('can be filtered by callers who may read them, in the rows where they may', async () => {
    expect((await get('/patients?insurance=omega', as('manager'))).names).toEqual(['Bob']);
    expect((await get('/patients?insurance=omega', as('doctor'))).names).toEqual([]);
    expect((await get('/patients?insurance=alpha', as('doctor'))).names).toEqual(['Ann']);
    expect((await get('/patients?orderby=insurance', as('doctor'))).names).toEqual(['Ann']);
    expect((await get('/patients?danger=1', as('doctor'))).names).toEqual(['Ann']);
    expect((await get('/patients?filter[danger]=1', as('doctor'))).names).toEqual(['Ann']);
    expect((await get('/patients?orderby=risk&order=desc', as('manager'))).names?.slice(0, 2)).toEqual(['Bob', 'Ann']);
  });

  it('can be searched by callers who may read them, in the rows where they may', async () => {
    expect((await get('/patients?search=omega', as('manager'))).names).toEqual(['Bob']);
    expect((await get('/patients?search=omega', as('doctor'))).names).toEqual([]);
    expect((await get('/patients?search=alpha', as('doctor'))).names).toEqual(['Ann']);
    expect((await get('/patients?search=ann')).names).toEqual(['Ann']);
    expect((await get('/patients?search=9999', as('manager'))).names).toEqual([]);
  });

  it('do not occur in links of a context that hides them', async () => {
    const path = `/patients/${ids['ann']}?context=`;
    const open = ['self', 'collection', 'doctor', 'namesakes'];
    const links = async (context: string, headers: Headers = {}) =>
      Object.keys((await get(path + context, headers)).body._links as object);
    for (const context of ['view', 'embed']) {
      expect(await links(context)).toEqual(open);
      expect(await links(context, as('manager'))).toEqual(open);
    }
    expect(await links('edit', as('manager'))).toEqual([...open, 'keeper', 'insured', 'risky', 'alarmed']);
  });

  it('cannot be reached through a list of another resource', async () => {
    expect(await get(`/patients?group=${ids['group']}`)).toMatchObject({ status: 401 });
    expect(await get(`/patients?group=${ids['group']}`, as('nurse'))).toMatchObject({ status: 403 });
    expect((await get(`/patients?group=${ids['group']}`, as('manager'))).names).toEqual(['Bob']);
  });
});

describe('items below a parent', () => {
  it('are hidden with the parent', async () => {
    expect(await get(`/patients/${ids['cid']}`)).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
    for (const path of ['', `/${ids['hidden']}`, '/987']) {
      expect(await get(`/patients/${ids['cid']}/visits${path}`)).toMatchObject({
        status: 401,
        body: { code: 'rest_forbidden' },
      });
      expect(await get(`/patients/${ids['cid']}/visits${path}`, as('nurse'))).toMatchObject({ status: 403 });
    }
    expect(await get(`/patients/${ids['cid']}/visits`, as('manager'))).toMatchObject({ status: 200, total: '1' });
    expect(await get('/patients/987/visits')).toMatchObject({ status: 404 });
    expect(await get(`/patients/${ids['bob']}/visits`)).toMatchObject({ status: 200, total: '1' });
  });

  it('cannot be created below a hidden parent', async () => {
    const { send } = clinic.site;
    const write = (patient: string) =>
      send('POST', `/patients/${ids[patient]}/visits`, { as: as('nurse'), body: { reason: 'x', note: 'y' } });
    expect((await write('cid')).status).toBe(403);
    const made = await write('bob');
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty('note');
  });

  it('have no allowed methods there', async () => {
    const { send } = clinic.site;
    const { headers } = await send('OPTIONS', `/patients/${ids['cid']}/visits`, { as: as('nurse') });
    expect(headers['allow'] ?? '').toBe('');
  });
});

describe('default guards', () => {
  it.each([
    ['a list with steps of its own', '/groups?context=edit'],
    ['an item with steps of its own', '/patients/{bob}/visits/{visit}?context=edit'],
  ])('protect the context edit of %s', async (_what, path) => {
    const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(ids[name]));
    expect(await get(target)).toMatchObject({ status: 401, body: { code: 'rest_forbidden_context' } });
    expect(await get(target, as('nurse'))).toMatchObject({ status: 403 });
    expect(await get(target, as('manager'))).toMatchObject({ status: 200 });
  });

  it('the right to delete is checked beside a step about request fields', async () => {
    const { send } = clinic.site;
    const remove = (headers: Headers) => send('DELETE', `/patients/${ids['bob']}`, { as: headers });
    expect((await remove({})).status).toBe(401);
    expect((await remove(as('nurse'))).status).toBe(403);
    expect((await remove(as('doctor'))).status).toBe(403);
  });
});
