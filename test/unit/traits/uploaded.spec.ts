import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { removeRows } from '../../../src/engine/remove-rows.js';
import { uploadedTrait } from '../../../src/traits/uploaded/uploaded.trait.js';
import { codeOf, draftOf, invent, type Call, type Invented } from './invented.js';
import type { UploadedFile } from '../../../src/model/site/file-storage.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let site: Invented;
let folder: string;
/** Calls of the file store. */
let calls: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-upload-'));
  site = await invent({
    name: 'scan',
    path: 'scans',
    fields: { title: { type: 'string' }, legend: { type: 'text' } },
    traits: { uploaded: { title: 'title', caption: 'legend' } },
  });
});
beforeEach(() => {
  calls = [];
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});
const hooks = () => site.hooks(uploadedTrait, 'scan');

const files = {
  reserve: async (directory: string, name: string) => `${directory}/${name}`,
  put: async (key: string) => void calls.push(`put ${key}`),
  commit: async (keys: string[]) => void calls.push(`commit ${keys.join()}`),
  remove: async (keys: string[]) => void calls.push(`remove ${keys.join()}`),
  mark: async (keys: string[]) => void calls.push(`mark ${keys.join()}`),
};

function fileOf(name: string, bytes: Buffer): UploadedFile {
  const path = join(folder, 'incoming');
  writeFileSync(path, bytes);
  return { path, size: bytes.length, md5: '', filename: name, form: 'raw', remove: async () => undefined };
}
const creation = (more: Call = {}): Call => ({ kind: 'create', site: { files }, ...more });

it('a new item requires a file', async () => {
  expect(await codeOf(() => hooks().prepare!(site.op('scan', creation())))).toBe('rest_upload_no_data');
});

it('the file is stored in the folder of the month, and removed when the write fails', async () => {
  const op = site.op('scan', creation({ file: fileOf('dot.png', PNG) }));
  await hooks().prepare!(op);
  expect(op.state.upload).toMatchObject({ key: '2030/05/dot.png', name: 'dot.png', inspection: { mime: 'image/png' } });
  for (const undo of op.compensations) await undo();
  expect(calls).toEqual(['put 2030/05/dot.png', 'remove 2030/05/dot.png']);
});

it.each([
  [{}, 'dot'],
  [{ title: 'Mine' }, undefined],
])('the row has the details of the file; sent as %j, its title becomes %j', async (values, title) => {
  const op = site.op('scan', creation({ file: fileOf('dot.png', PNG) }));
  await hooks().prepare!(op);
  const draft = draftOf({}, values);
  void hooks().input!(draft, op);
  expect(draft.row).toMatchObject({ file: '2030/05/dot.png', mime_type: 'image/png' });
  expect(JSON.parse(draft.row['media_details'])).toMatchObject({
    width: 1,
    height: 1,
    filesize: PNG.length,
    sizes: {},
  });
  expect(draft.row['title']).toBe(title);
});

it('the file is committed with the row, and the response contains the item', async () => {
  await site.write('scan', creation({ file: fileOf('dot.png', PNG) }), async (op) => {
    await hooks().prepare!(op);
    void hooks().saved!({ id: 5 }, op);
    expect(op.state.headers).toEqual({ 'X-WP-Upload-Attachment-ID': '5' });
    expect(calls).toEqual(['put 2030/05/dot.png']);
  });
  expect(calls).toEqual(['put 2030/05/dot.png', 'commit 2030/05/dot.png']);
});

it('the file and its copies are removed after the commit of a deletion', async () => {
  const media_details = JSON.stringify({ sizes: { small: { file: 'dot-1.png' } } });
  const keys = '2030/05/dot.png,2030/05/dot-1.png';
  const id = await site.put('scan', { title: 'Dot', file: '2030/05/dot.png', media_details });
  await site.write('scan', { kind: 'delete', site: { files } }, async (op) => {
    await removeRows(op.tx!, op.model, [id], op);
    expect(calls).toEqual([`mark ${keys}`]);
    expect(op.compensations).toHaveLength(1);
  });
  expect(calls).toEqual([`mark ${keys}`, `remove ${keys}`]);
});
