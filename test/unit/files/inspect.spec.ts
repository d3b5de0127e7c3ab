// Which uploads are accepted: real images, images under the name of another type, and files that only pretend to be
// images.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { inspectFile, type InspectOptions } from '../../../src/files/inspect.js';
import { readExif } from '../../../src/files/exif.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'inspect-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

let count = 0;
async function inspect(content: Buffer | string, filename: string, options: Partial<InspectOptions> = {}) {
  const path = join(directory, String((count += 1)));
  await writeFile(path, content);
  return inspectFile(path, filename, { unfiltered: false, ...options });
}

const image = (width = 6, height = 4) => sharp({ create: { width, height, channels: 3, background: '#c04020' } });
const noise = () =>
  sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

describe('images', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('%s', async (format) => {
    const found = await inspect(await image().toFormat(format).toBuffer(), `My Photo.${format}`);
    expect(found).toMatchObject({
      filename: `My-Photo.${format}`,
      extension: format,
      mime: `image/${format}`,
      width: 6,
      height: 4,
    });
    expect(found.size).toBeGreaterThan(20);
  });

  it.each([5, 6, 7, 8])('turned by EXIF orientation %i have their sides changed', async (orientation) => {
    const found = await inspect(await image().withMetadata({ orientation }).jpeg().toBuffer(), 'a.jpg');
    expect(found).toMatchObject({ width: 4, height: 6, imageMeta: { orientation: String(orientation) } });
  });

  it('with the extension of another image type are corrected', async () => {
    const found = await inspect(await image().png().toBuffer(), 'a.jpg');
    expect(found).toMatchObject({ filename: 'a.png', extension: 'png', mime: 'image/png' });
    expect(await inspect(await image().jpeg().toBuffer(), 'a.heic')).toMatchObject({ extension: 'jpg', width: 6 });
  });

  it('keep another extension of the same type', async () => {
    expect(await inspect(await image().jpeg().toBuffer(), 'a.JPE')).toMatchObject({
      filename: 'a.jpe',
      extension: 'jpe',
    });
  });

  it('have every image_meta member', async () => {
    expect((await inspect(await image().png().toBuffer(), 'a.png')).imageMeta).toEqual({
      aperture: '0',
      credit: '',
      camera: '',
      caption: '',
      created_timestamp: '0',
      copyright: '',
      focal_length: '0',
      iso: '0',
      shutter_speed: '0',
      title: '',
      orientation: '0',
      keywords: [],
    });
  });

  it('include their EXIF values without markup', async () => {
    const exif = {
      IFD0: { ImageDescription: 'A <script>boat</script>', Model: 'Box 3', Artist: 'Ann', Copyright: '(c) Ann' },
      IFD2: {
        FNumber: '28/10',
        ExposureTime: '1/200',
        ISOSpeedRatings: '400',
        FocalLength: '50/1',
        DateTimeOriginal: '2016:05:01 10:20:30',
      },
    };
    const found = await inspect(await image().withExif(exif).jpeg().toBuffer(), 'a.jpg');
    expect(found.imageMeta).toMatchObject({
      title: 'A scriptboat/script',
      caption: 'A scriptboat/script',
      camera: 'Box 3',
      credit: 'Ann',
      copyright: '(c) Ann',
      aperture: '2.8',
      shutter_speed: '0.005',
      iso: '400',
      focal_length: '50',
      created_timestamp: '1462098030',
    });
  });

  it('of types that are not decoded are accepted by content', async () => {
    const found = await inspect(await image().tiff().toBuffer(), 'a.tiff');
    expect(found).toMatchObject({ mime: 'image/tiff', imageMeta: { orientation: '0' } });
    expect(found.width).toBeUndefined();
  });
});

describe('refused files', () => {
  it.each([
    ['html', '<!doctype html><script>alert(1)</script>'],
    ['a script', '<?php system($_GET[0]);'],
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['an image head before a script', 'GIF89a/*<script>alert(1)</script>*/=1;'],
    ['a pdf', '%PDF-1.4\n%%EOF'],
    ['random bytes', Buffer.from([1, 2, 3, 4, 5])],
    ['a lone PNG signature', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('%s behind image extensions', async (_title, content) => {
    for (const name of ['a.jpg', 'a.png', 'a.gif', 'a.webp', 'a.avif', 'a.bmp', 'a.ico']) {
      await expect(inspect(content, name)).rejects.toMatchObject({
        code: 'rest_upload_sideload_error',
        fault: 'client',
      });
    }
  });

  it.each(['a.svg', 'a.exe', 'a.php', 'a', 'a.html', '.htaccess'])('%s by its name', async (name) => {
    await expect(inspect('x', name, { form: 'multipart' })).rejects.toMatchObject({
      code: 'rest_upload_unknown_error',
    });
  });

  it('an empty file', async () => {
    await expect(inspect('', 'a.txt')).rejects.toMatchObject({ code: 'rest_upload_sideload_error' });
  });

  it('a program under any name', async () => {
    const elf = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(64)]);
    await expect(inspect(elf, 'a.txt')).rejects.toMatchObject({ code: 'rest_upload_sideload_error' });
  });

  it('a missing file is an error of the server', async () => {
    const gone = inspectFile(join(directory, 'gone'), 'a.txt', { unfiltered: false });
    await expect(gone).rejects.toMatchObject({ code: 'rest_upload_file_error', fault: 'server' });
  });

  it('more pixels than allowed, from the header alone', async () => {
    await expect(inspect(pngHeader(10_000, 5_001), 'a.png')).rejects.toMatchObject({
      code: 'rest_upload_file_too_big',
    });
    await expect(inspect(await image().png().toBuffer(), 'a.png', { maxPixels: 23 })).rejects.toMatchObject({
      code: 'rest_upload_file_too_big',
    });
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('a %s cut in half', async (format) => {
    const whole = await noise().toFormat(format).toBuffer();
    const half = whole.subarray(0, whole.length / 2);
    await expect(inspect(half, `a.${format}`)).rejects.toMatchObject({ code: 'rest_upload_sideload_error' });
  });

  it('any damaged file, with an error instead of a crash', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const whole = await image()
        .withExif({ IFD0: { Model: 'Box' } })
        .toFormat(format)
        .toBuffer();
      for (let at = 0; at < whole.length; at += 17) {
        const damaged = Buffer.from(whole);
        damaged[at] = damaged[at]! ^ 0xff;
        const outcome = await inspect(damaged, `a.${format}`).catch((error: unknown) => error);
        expect(outcome).toMatchObject(
          outcome instanceof Error ? { name: 'UploadProblem' } : { width: expect.any(Number) },
        );
      }
    }
  });
});

describe('other files', () => {
  it('are accepted by their extension', async () => {
    expect(await inspect('hello', 'note.txt')).toEqual({
      filename: 'note.txt',
      extension: 'txt',
      mime: 'text/plain',
      size: 5,
    });
    expect(await inspect('<p>', 'page.html', { unfiltered: true })).toMatchObject({ mime: 'text/html' });
  });
});

describe('readExif', () => {
  it('survives any bytes', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const block = Buffer.alloc(64, 0).map((_, index) => (index * 31 + seed * 97 + ((index * seed) % 251)) & 0xff);
      Buffer.from(seed % 2 ? 'II*\0\x08\0\0\0' : 'MM\0*\0\0\0\x08', 'latin1').copy(block);
      expect(readExif(Buffer.from(block))).toBeInstanceOf(Map);
    }
    expect(readExif(Buffer.alloc(0)).size).toBe(0);
  });
});

function pngHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', data),
    chunk('IDAT', Buffer.alloc(4)),
    chunk('IEND'),
  ]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
