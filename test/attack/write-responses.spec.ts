// The response of a write shows no more of an item than its caller may retrieve.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openCms } from '../cms/stage.js';
import { administrator, makeActor, type TestActor } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import type { Headers, Method } from '../support/send.js';
import { openClinic, type Clinic } from './clinic.js';

const sender =
  (site: () => TestSite, actors: () => Record<string, TestActor>) =>
  (method: Method, path: string, as: string, body?: object, headers: Headers = {}) =>
    site().send(method, path, { as: actors()[as]!.headers, headers, body });

describe('comments', () => {
  let site: TestSite;
  const actors: Record<string, TestActor> = {};
  const ids: Record<string, number> = {};
  const send = sender(
    () => site,
    () => actors,
  );
  const PRIVATE = ['author_email', 'author_ip', 'author_user_agent'];

  beforeAll(async () => {
    site = await openCms();
    actors['admin'] = administrator(site);
    for (const role of ['author', 'contributor']) actors[role] = await makeActor(site, role);
    await site.site.writer.batch(async ({ create }) => {
      ids['post'] = await create('post', { title: 'One', status: 'publish', author: actors['author']!.id });
      ids['draft'] = await create('post', { title: 'Two', status: 'draft', author: actors['contributor']!.id });
      const guest = {
        author_name: 'Guest',
        author_email: 'guest@example.org',
        author_ip: '198.51.100.7',
        content: 'x',
      };
      ids['comment'] = await create('comment', { ...guest, post: ids['post'], status: 'approved' });
      ids['own'] = await create('comment', { ...guest, post: ids['draft'], status: 'approved' });
      ids['orphan'] = await create('comment', { ...guest, post: 0, content: 'hidden words', status: 'approved' });
    });
  });
  afterAll(() => site.close());

  const expectNoPrivates = (body: object) => {
    for (const name of PRIVATE) expect(body).not.toHaveProperty(name);
  };

  it('an empty update does not show an author the fields of moderators', async () => {
    const { status, body } = await send('PATCH', `/comments/${ids['comment']}`, 'author', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ids['comment'], author_name: 'Guest' });
    expectNoPrivates(body);
  });

  it('moderation and the trash do not show them either', async () => {
    expectNoPrivates((await send('PATCH', `/comments/${ids['comment']}`, 'author', { status: 'hold' })).body);
    const { status, body } = await send('DELETE', `/comments/${ids['comment']}`, 'author');
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'trash' });
    expectNoPrivates(body);
    const { body: gone } = await send('DELETE', `/comments/${ids['comment']}?force=true`, 'author');
    expect(gone).toMatchObject({ deleted: true });
    expectNoPrivates(gone.previous);
  });

  it('moderators get the context edit', async () => {
    const { body } = await send('PATCH', `/comments/${ids['own']}`, 'admin', {});
    expect(body).toMatchObject({ author_email: 'guest@example.org', author_ip: '198.51.100.7' });
  });

  it('only moderators can assign a comment to an account', async () => {
    const values = { author: actors['admin']!.id };
    const { status, body } = await send('PATCH', `/comments/${ids['own']}`, 'contributor', values);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'rest_comment_invalid_author' });
    expect((await send('PATCH', `/comments/${ids['own']}`, 'admin', values)).status).toBe(200);
  });

  it('a comment that may be edited but not read is not shown, and cannot be made readable', async () => {
    const path = `/comments/${ids['orphan']}`;
    expect((await send('GET', path, 'contributor')).status).toBe(403);
    expect((await send('PATCH', path, 'contributor', {})).body).toEqual({ id: ids['orphan'] });
    const moved = await send('PATCH', path, 'contributor', { post: ids['draft'] });
    expect({ status: moved.status, code: moved.body.code }).toEqual({ status: 403, code: 'rest_cannot_edit' });
    expect((await send('GET', path, 'contributor')).status).toBe(403);
  });

  it('a batch of an author shows no more fields', async () => {
    const requests = [{ method: 'PATCH', path: `${site.base}/comments/${ids['own']}`, body: {} }];
    const { text } = await send('POST', '/batch', 'contributor', { requests });
    expect(text).not.toContain('guest@example.org');
    expect(text).not.toContain('198.51.100.7');
  });
});

describe('owned resources', () => {
  let clinic: Clinic;
  let id = 0;
  const send = sender(
    () => clinic.site,
    () => clinic.actors,
  );

  beforeAll(async () => {
    clinic = await openClinic();
    const nurse = clinic.actors.manager.id;
    id = await clinic.site.site.writer.batch(({ create }) =>
      create('ticket', { title: 'Broken leg', nurse, secret: 'in room 7' }),
    );
  });
  afterAll(() => clinic.close());

  it('callers who may edit but not read an item see its key', async () => {
    expect((await send('PATCH', `/tickets/${id}`, 'nurse', {})).body).toEqual({ id });
    expect((await send('PATCH', `/tickets/${id}?_fields=id,title,secret`, 'nurse', {})).body).toEqual({ id });
    expect((await send('PATCH', `/tickets/${id}?_fields=title`, 'nurse', {})).body).toEqual({});
  });

  it('callers who may edit but not read an item cannot make themselves its reader', async () => {
    const { status } = await send('PATCH', `/tickets/${id}`, 'nurse', { nurse: clinic.actors.nurse.id });
    expect(status).toBe(403);
    expect((await send('GET', `/tickets/${id}`, 'nurse')).status).toBe(403);
  });

  it('a deletion shows only the key', async () => {
    const { body } = await send('DELETE', `/tickets/${id}`, 'nurse');
    expect(body).toEqual({ deleted: true, previous: { id } });
  });

  it('a retried request is refused once its caller may no longer read the first response', async () => {
    const { doctor, manager } = clinic.actors;
    const key = { 'Idempotency-Key': 'once' };
    const patient = await clinic.site.site.writer.batch(({ create }) =>
      create('patient', { name: 'Dora', doctor: doctor.id, insurance: 'alpha' }),
    );
    const update = () => send('PATCH', `/patients/${patient}`, 'doctor', { name: 'Dora D.' }, key);
    expect((await update()).body).toMatchObject({ name: 'Dora D.', insurance: 'alpha' });
    expect((await update()).body).toMatchObject({ insurance: 'alpha' });
    await send('PATCH', `/patients/${patient}`, 'manager', { doctor: manager.id });
    const later = await update();
    expect(later.status).toBe(403);
    expect(later.headers['idempotency-replayed']).toBeUndefined();
    expect(later.text).not.toContain('alpha');
    await send('PATCH', `/patients/${patient}`, 'manager', { open: false });
    expect((await update()).status).toBe(403);
    await send('DELETE', `/patients/${patient}`, 'manager');
    expect((await update()).status).toBe(404);
  });
});
