// The matrix of permissions: every resource and operation by six callers, status and error code exactly; written from the decisions alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cells, declare } from './permission-cells.js';
import { World } from './permission-world.js';
import { comments } from './permission-rows/comments.js';
import { media } from './permission-rows/media.js';
import { metaAndRevisions } from './permission-rows/meta-and-revisions.js';
import { pages } from './permission-rows/pages.js';
import { posts } from './permission-rows/posts.js';
import { termsAndRegistries } from './permission-rows/terms-and-registries.js';
import { users } from './permission-rows/users.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world?.close());

describe('matrix', () => {
  declare(() => world, posts);
  declare(() => world, pages);
  declare(() => world, media);
  declare(() => world, comments);
  declare(() => world, users);
  declare(() => world, termsAndRegistries);
  declare(() => world, metaAndRevisions);
});

describe('after all cells', () => {
  test('no refused write has changed anything', async () => {
    const changed: string[] = [];
    for (const { path, body } of world.unspent()) {
      const response = await world.send('A', { method: 'GET', path: `${path}?context=edit` });
      const [before, now] = [body!, response.body].map((item) => ({ ...item, _links: 0, count: 0 }));
      if (JSON.stringify(before) !== JSON.stringify(now)) changed.push(`${path}: ${JSON.stringify(now)}`);
    }
    expect(changed).toEqual([]);
  });

  test('the matrix has the expected size', () => {
    const total = Object.values(cells).reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(2000);
  });
});
