import { expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { notUploads } from '../../../src/config/check-folders.js';
import { readConfig } from '../../../src/config/config.js';

it.each([
  [{}, []],
  [{ MEDIA_DIR: 'data/..media', PRIVATE_MEDIA_DIR: 'data/media2' }, []],
  [{ MEDIA_URL: 's3://bucket/prefix?endpoint=http://minio:9000&region=x' }, []],
  [{ MEDIA_DIR: 'm', SCHEMAS_DIR: 'm' }, []],
  [
    { MEDIA_URL: 'file:./data/', PRIVATE_MEDIA_DIR: 'p' },
    ['data/typecase.sqlite', 'data/typecase.sqlite-wal', 'data/typecase.sqlite-shm', 'data/secret', 'data/incoming'],
  ],
  [{ DATABASE_URL: 'mysql://h/x', MEDIA_DIR: 'm', PRIVATE_MEDIA_DIR: 'data' }, ['data/secret', 'data/incoming']],
  [
    { MEDIA_DIR: '/srv/site', ROLES_FILE: '/srv/site/roles.json', SCHEMAS_DIR: '/srv/site/schemas' },
    ['/srv/site/roles.json', '/srv/site/schemas'],
  ],
])('%j contains what is no upload', (env, paths) => {
  expect(notUploads(readConfig(env))).toEqual(paths.map((path) => resolve(path)));
});
