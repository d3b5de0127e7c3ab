import { test } from '@jest/globals';
import { openLibrary } from './stage.js';
test('boots', async () => {
  const t = Date.now();
  const lib = await openLibrary();
  console.log(Date.now() - t);
  const r = await lib.site.http().post(lib.site.base + '/books').set(lib.actors.librarian.headers).send({ title: 'Dune', dimensions: {height: 3, measured_by: 'x', fits: true} });
  console.log(r.status, JSON.stringify(r.body, null, 1));
  const v = await lib.site.http().get(lib.site.base + '/books/' + r.body.id);
  console.log(v.status, JSON.stringify(v.body, null, 1));
  await lib.site.close();
});
