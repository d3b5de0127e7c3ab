// Fields whose missing values were empty texts become nullable: conditions on null find the items from before.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EvolvingSite, OPEN } from './evolving-site.js';

const TYPES = ['date', 'datetime', 'time', 'uuid', 'email', 'uri'];
const NULLABLE = { filterable: true };
/** Becomes unique too: items without a value must not share one. */
const alias = (more: object) => ({
  type: 'email',
  ...more,
  ...(more === NULLABLE ? { unique: { ignore: ['case'] } } : {}),
});
const fields = (more: object) => Object.fromEntries(TYPES.map((type) => [`own_${type}`, { type, ...more }]));
const note = (more: object) => ({
  note: { ...OPEN, fields: { title: { type: 'string' }, ...fields(more), alias: alias(more) } },
});

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
  site.write(note({ nullable: false }));
  await site.serving(async (served) => {
    await served.post('/notes', { title: 'without' });
    await served.post('/notes', {
      title: 'with',
      alias: 'B@example.org',
      own_date: '2026-01-31',
      own_email: 'a@example.org',
    });
  });
});
afterEach(() => site.close());

async function expectFound(): Promise<void> {
  expect(await site.cli('check', '--data')).toMatchObject({ code: 0, out: '0 problems\n' });
  await site.serving(async (served) => {
    for (const type of TYPES) {
      const found = await served.get(`/notes?own_${type}[null]=true&orderby=id&order=asc`);
      const titles = ['date', 'email'].includes(type) ? ['without'] : ['without', 'with'];
      expect([type, found.map(({ title }: { title: string }) => title)]).toEqual([type, titles]);
    }
    expect((await served.all('/notes'))[1]).toMatchObject({ own_date: '2026-01-31', own_email: 'a@example.org' });
  });
}

it('by a migration', async () => {
  site.write(note(NULLABLE));
  expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
  await expectFound();
});

it('by a start', async () => {
  site.write(note(NULLABLE));
  await site.serving((served) => served.get('/notes'));
  await expectFound();
});

it('in one of the resources of a table only', async () => {
  const where = (kind: string) => ({ storage: { table: 'papers', where: { kind } } });
  const memo = { ...OPEN, ...where('memo'), fields: { own_date: { type: 'date', nullable: false } } };
  site.write({ memo });
  const moved = (more: object) => {
    const { note: schema } = note(more);
    return { note: { ...schema, storage: { ...where('note').storage, movedFrom: 'notes' } } };
  };
  site.write(moved({ nullable: false }));
  await site.serving(async (served) => served.post('/memos', { id: 90 }));
  site.write(moved(NULLABLE));
  await expectFound();
  const kept = await site.serving((served) => served.all('/memos'));
  expect(kept.map(({ own_date }) => own_date)).toEqual(['']);
});

it('that another process left empty are found and fixed by check --data', async () => {
  site.write(note(NULLABLE));
  expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
  await site.sql(`UPDATE notes SET own_date = '', own_uri = '' WHERE id = 1`);
  const { code, out } = await site.cli('check', '--data');
  expect([code, out]).toEqual([
    1,
    'note 1: own_date, own_uri are empty texts, not null, which conditions on null do not find\n1 problem\n',
  ]);
  expect(await site.cli('check', '--data', '--fix')).toMatchObject({ code: 0 });
  await expectFound();
});
