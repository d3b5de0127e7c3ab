// The metadata of audio and video files, and files that only look like them.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFile } from '../../../src/files/inspect.js';
import { inThread, recordingAt } from '../../../src/files/recordings/recordings.js';
import { box, mp3, mp4, wav } from '../../support/recordings.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function pathOf(content: Buffer | string): Promise<string> {
  const path = join(folder, String((count += 1)));
  await writeFile(path, content);
  return path;
}

it.each<[string, Buffer, object]>([
  [
    'an MP3 with tags',
    mp3(70, { TIT2: 'Song <b>one</b>', TPE1: 'Ann\u0007', TALB: 'First', TYER: '1999', TRCK: '3/9', TCON: 'Folk' }),
    {
      length: 70,
      length_formatted: '1:10',
      bitrate: 128_000,
      fileformat: 'mp3',
      codec: 'MPEG 1 Layer 3',
      sample_rate: 44_100,
      channels: 2,
      lossless: false,
      title: 'Song bone/b',
      artist: 'Ann',
      album: 'First',
      genre: 'Folk',
      year: 1999,
      track_number: 3,
    },
  ],
  [
    'a WAV',
    wav(3),
    {
      length: 3,
      length_formatted: '0:03',
      bitrate: 128_000,
      fileformat: 'wav',
      codec: 'PCM',
      sample_rate: 8000,
      channels: 1,
      lossless: true,
    },
  ],
  [
    'a film of an hour without sound',
    mp4(640, 360, 3723),
    { length: 3723, length_formatted: '1:02:03', bitrate: 3, fileformat: 'mp4', width: 640, height: 360 },
  ],
])('%s', async (_about, content, expected) => {
  expect(await recordingAt(await pathOf(content))).toEqual(expected);
});

it.each<[string, Buffer | string]>([
  ['text', 'only text'],
  ['nothing', ''],
  ['zeros', Buffer.alloc(100_000)],
  ['half a film', mp4(640, 360, 5).subarray(0, 150)],
  [
    'a box longer than the file',
    Buffer.concat([Buffer.from([0x7f, 255, 255, 255]), Buffer.from('moov'), Buffer.alloc(20)]),
  ],
  ['a box of no length', Buffer.concat([Buffer.from([0, 0, 0, 4]), Buffer.from('moov'), Buffer.alloc(20)])],
  ['boxes in boxes', Array.from({ length: 2000 }).reduce<Buffer>((inner) => box('moov', inner), Buffer.alloc(0))],
])('%s is accepted without metadata', async (_about, content) => {
  const found = (await recordingAt(await pathOf(content))) ?? {};
  expect(found).not.toHaveProperty('length');
  expect(found).not.toHaveProperty('width');
});

it('damaged files cause no unhandled error', async () => {
  const whole = [mp3(1, { TIT2: 'Song' }), mp4(64, 36, 5), wav(1)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
      async (bytes, changes) => {
        const damaged = Buffer.from(bytes);
        for (const [at, value] of changes) damaged[at] = value;
        const found = (await recordingAt(await pathOf(damaged))) ?? {};
        for (const value of Object.values(found)) expect(['string', 'number', 'boolean']).toContain(typeof value);
      },
    ),
    { numRuns: 60 },
  );
});

it('a thread that runs too long or uses too much memory is terminated', async () => {
  const endless = join(folder, 'endless.mjs');
  await writeFile(endless, 'for (;;);');
  await expect(inThread('', endless, 300)).rejects.toThrow('takes too long');
  const greedy = join(folder, 'greedy.mjs');
  await writeFile(greedy, 'const all = []; for (;;) all.push(new Array(1e6).fill(1));');
  await expect(inThread('', greedy, 20_000)).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
});

it('the inspection of an upload includes its metadata', async () => {
  const options = { unfiltered: false };
  expect(await inspectFile(await pathOf(wav(2)), 'beep.wav', options)).toMatchObject({
    mime: 'audio/wav',
    recording: { length: 2 },
  });
  expect(await inspectFile(await pathOf('text'), 'beep.mp3', options)).toMatchObject({ mime: 'audio/mpeg', size: 4 });
});
