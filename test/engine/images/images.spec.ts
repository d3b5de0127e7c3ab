// Resized copies: which are created, that they open, which metadata they do not contain, and that they live as long as
// their item.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { fixData } from '../../../src/maintenance/check-data.js';
import { equals } from '../../../src/model/query.js';
import { sweepFiles } from '../../../src/maintenance/sweep-files.js';
import { startTestSite, PUBLIC_URL, type TestSite } from '../../support/start-test-site.js';
import { mp3, mp4 } from '../../support/recordings.js';
import { auditFiles } from '../../../src/maintenance/check-files.js';

const SCHEMAS = fileURLToPath(new URL('schemas', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite(SCHEMAS);
});
afterAll(() => site.close());

/** An image of one colour. */
const flat = (width: number, height: number, background = '#c04020') =>
  sharp({ create: { width, height, channels: 3, background } });

async function upload(name: string, content: Buffer, path = '/photos'): Promise<Record<string, any>> {
  const file = { name, type: 'image/any', content };
  return (await site.send('POST', path, { file, status: 201 })).body;
}

/** The bytes at a public URL. */
async function fetched(url: string): Promise<Buffer> {
  const { port } = site.server.address() as { port: number };
  const response = await fetch(url.replace(PUBLIC_URL, `http://127.0.0.1:${port}`));
  expect({ url, status: response.status }).toEqual({ url, status: 200 });
  return Buffer.from(await response.arrayBuffer());
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}
const stored = () => [...filesBelow(join(site.folder, 'media')), ...filesBelow(site.config.privateMediaDir)].sort();

/** Width and height of the copies as listed, after each has been opened. */
async function copiesOf({ media_details: details }: Record<string, any>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, copy] of Object.entries<any>(details.sizes)) {
    const bytes = await fetched(copy.source_url);
    const { width, height, format } = await sharp(bytes).metadata();
    expect({ width, height }).toEqual({ width: copy.width, height: copy.height });
    if (name !== 'full') expect(copy.filesize).toBe(bytes.length);
    expect(copy.mime_type).toMatch(`image/${format === 'heif' ? 'avif' : format}`);
    expect(copy.source_url.endsWith(`/${copy.file}`)).toBe(true);
    found[name] = `${copy.width}x${copy.height}`;
  }
  return found;
}

describe('copies of images', () => {
  test.each<[string, number, number, Record<string, string>]>([
    [
      'a large image',
      2000,
      1000,
      {
        thumbnail: '150x150',
        medium: '300x150',
        medium_large: '768x384',
        large: '1024x512',
        full: '2000x1000',
      },
    ],
    ['one that is high', 400, 1200, { thumbnail: '150x150', medium: '100x300', large: '341x1024', full: '400x1200' }],
    ['one that is larger than two of them', 320, 160, { thumbnail: '150x150', medium: '300x150', full: '320x160' }],
    ['one that is lower than a crop', 200, 100, { thumbnail: '150x100', full: '200x100' }],
    ['one of the size of a crop', 150, 150, {}],
    ['one point', 1, 1, {}],
    [
      'one line',
      2000,
      1,
      { thumbnail: '150x1', medium: '300x1', medium_large: '768x1', large: '1024x1', full: '2000x1' },
    ],
  ])('of %s, %i x %i', async (_about, width, height, expected) => {
    const item = await upload('a.jpg', await flat(width, height).jpeg().toBuffer());
    expect(item['media_details']).toMatchObject({ width, height });
    expect(await copiesOf(item)).toEqual(expected);
  });

  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('of %s are %s too', async (format) => {
    const bytes = await flat(400, 200).toFormat(format).toBuffer();
    const item = await upload(`Holiday photo.${format}`, bytes);
    expect(await copiesOf(item)).toEqual({ thumbnail: '150x150', medium: '300x150', full: '400x200' });
    const { sizes, file } = item['media_details'];
    expect(file).toMatch(/\/Holiday-photo(-\d+)?\.\w+$/);
    const stem = file.slice(0, file.lastIndexOf('.')).replace(/^.*\//, '');
    expect(sizes.thumbnail.file).toBe(`${stem}-150x150.${format}`);
  });

  test('form the srcset of the image, except cropped ones', async () => {
    const item = await upload('set.png', await flat(1200, 800).png().toBuffer());
    const { sizes, srcset } = item['media_details'];
    expect(srcset).toBe(
      `${sizes.medium.source_url} 300w, ${sizes.medium_large.source_url} 768w, ${sizes.large.source_url} 1024w, ${item['source_url']} 1200w`,
    );
    expect(sizes.full.source_url).toBe(item['source_url']);
  });

  test('are rotated like the image, in sRGB, and without location and camera', async () => {
    const half = await flat(600, 400, '#ff0000').png().toBuffer();
    const original = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#0000ff' } })
      .composite([{ input: half, top: 0, left: 0 }])
      .withIccProfile('p3')
      .withExif({
        IFD0: { Model: 'Camera 9', Artist: 'Ann' },
        IFD2: { FNumber: '28/10' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const item = await upload('turned.jpg', original);
    expect(item['media_details']).toMatchObject({
      width: 800,
      height: 600,
      image_meta: { camera: 'Camera 9', credit: 'Ann', orientation: '6' },
    });
    const { medium, full } = item['media_details'].sizes;
    const copy = await fetched(medium.source_url);
    const facts = await sharp(copy).metadata();
    expect(facts).toMatchObject({ width: 300, height: 225, space: 'srgb' });
    expect([facts.exif, facts.icc, facts.orientation, facts.xmp, facts.iptc]).toEqual(Array(5).fill(undefined));
    // Upper half red, turned to the right: the right half.
    const { data, info } = await sharp(copy).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number) => [...data.subarray((100 * info.width + x) * info.channels).subarray(0, 3)];
    expect([at(250)[0]! > 200, at(250)[2]! < 60, at(50)[0]! < 60, at(50)[2]! > 200]).toEqual([true, true, true, true]);
    // The original is what was sent.
    expect((await fetched(full.source_url)).equals(original)).toBe(true);
  });

  test('keep transparency, and convert print colours to sRGB', async () => {
    const clear = await sharp({
      create: { width: 400, height: 400, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const { media_details: png } = await upload('clear.png', clear);
    expect((await sharp(await fetched(png.sizes.medium.source_url)).metadata()).hasAlpha).toBe(true);
    const print = await flat(400, 400).toColourspace('cmyk').jpeg().toBuffer();
    const { media_details: jpg } = await upload('print.jpg', print);
    expect((await sharp(await fetched(jpg.sizes.medium.source_url)).metadata()).space).toBe('srgb');
  });

  test.each(['gif', 'webp'] as const)('of an animated %s are animated, too', async (format) => {
    const images = await Promise.all(['#f00', '#0f0', '#00f'].map((colour) => flat(400, 200, colour).png().toBuffer()));
    const moving = await sharp(images, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const { media_details: details } = await upload(`moving.${format}`, moving);
    expect(details).toMatchObject({ width: 400, height: 200 });
    for (const [name, width, height] of [
      ['medium', 300, 150],
      ['thumbnail', 150, 150],
    ] as const) {
      const { pages, pageHeight, ...facts } = await sharp(await fetched(details.sizes[name].source_url), {
        pages: -1,
      }).metadata();
      expect({ pages, pageHeight, width: facts.width }).toEqual({ pages: 3, pageHeight: height, width });
    }
  });

  test('are accompanied by a placeholder', async () => {
    const { media_details: details } = await upload('red.png', await flat(300, 200, '#cc2211').png().toBuffer());
    expect(details.blurhash).toMatch(/^[\w#$%*+,.:;=?@[\]^{|}~-]{28}$/);
    const [red, green, blue] = details.dominant_color.match(/[0-9a-f]{2}/g).map((hex: string) => parseInt(hex, 16));
    expect([Math.abs(red - 0xcc) < 16, Math.abs(green - 0x22) < 16, Math.abs(blue - 0x11) < 16]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('have the sizes of the schema, with signed URLs for private files', async () => {
    const bytes = await flat(200, 100).png().toBuffer();
    const card = await upload('card.png', bytes, '/cards');
    expect(Object.keys(card['media_details'].sizes)).toEqual(['tiny', 'tile', 'full']);
    for (const { source_url: url, width, file } of Object.values<any>(card['media_details'].sizes)) {
      expect(url).toMatch(/\/uploads\/private\/.*\?expires=\d+&signature=/);
      expect(url).toContain(`/${file}?`);
      expect((await sharp(await fetched(url)).metadata()).width).toBe(width);
    }
    expect((await upload('plain.png', bytes, '/plains'))['media_details']).toMatchObject({ width: 200, sizes: {} });
  });
});

test.each<[string, Buffer, string, object]>([
  [
    'song.mp3',
    mp3(5, { TIT2: 'Song', TPE1: 'Ann' }),
    'audio/mpeg',
    { length: 5, length_formatted: '0:05', bitrate: 128_000, fileformat: 'mp3', title: 'Song', artist: 'Ann' },
  ],
  ['film.mp4', mp4(640, 360, 90), 'video/mp4', { length: 90, fileformat: 'mp4', width: 640, height: 360 }],
  [
    'paper.pdf',
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    'application/pdf',
    {},
  ],
  ['no-film.mp4', Buffer.from('only text'), 'video/mp4', {}],
])('%s files have other details, and no copies', async (name, bytes, mime, details) => {
  const item = await upload(name, bytes);
  expect(item['mime_type']).toBe(mime);
  expect(item['media_details']).toMatchObject({ filesize: bytes.length, sizes: {}, ...details });
  expect(Object.keys(item['media_details'])).not.toContain('srcset');
  expect((await fetched(item['source_url'])).equals(bytes)).toBe(true);
});

describe('a file name', () => {
  test('that looks like that of a copy gets a suffix', async () => {
    const wide = await flat(400, 200).png().toBuffer();
    const first = await upload('pier-150x150.png', wide);
    const second = await upload('pier.png', wide);
    expect(first['media_details'].file).toMatch(/\/pier-150x150-1\.png$/);
    expect(second['media_details'].sizes.thumbnail.file).toBe('pier-150x150.png');
  });

  test('is given to one of several concurrent uploads', async () => {
    const wide = await flat(200, 400).jpeg().toBuffer();
    const items = await Promise.all(Array.from({ length: 6 }, () => upload('same.jpg', wide)));
    const files = items.flatMap(({ media_details: { file, sizes } }) => [
      file,
      ...Object.values<any>(sizes)
        .filter((copy) => copy.filesize)
        .map((copy) => copy.file),
    ]);
    expect(new Set(files).size).toBe(6 * 3);
    for (const item of items) await copiesOf(item);
  });
});

describe('the files of an item', () => {
  test.each(['/photos', '/cards'])('are removed with it: %s', async (path) => {
    const before = stored();
    const { id } = await upload('gone.png', await flat(2000, 1500).png().toBuffer(), path);
    expect(stored().length - before.length).toBe(path === '/photos' ? 5 : 3);
    await site.send('DELETE', `${path}/${id}`, { query: { force: true }, status: 200 });
    expect(stored()).toEqual(before);
  });

  test('are removed when its creation fails', async () => {
    const before = stored();
    const { site: running } = site.site;
    const { put } = running.files;
    let calls = 0;
    running.files.put = (...args) => {
      calls += 1;
      return calls < 4 ? put.apply(running.files, args) : Promise.reject(new Error('on purpose'));
    };
    const file = { name: 'failed.png', type: 'image/png', content: await flat(2000, 1500).png().toBuffer() };
    const { status } = await site.send('POST', '/photos', { file });
    running.files.put = put;
    expect({ status, calls }).toEqual({ status: 500, calls: 4 });
    expect(stored()).toEqual(before);
  });

  test('are kept after a crash, while unreferenced ones are removed', async () => {
    const { models, store, site: running, writer } = site.site;
    const before = stored();
    const { media_details: details } = await upload('kept.png', await flat(400, 200).png().toBuffer());
    const folder = details.file.slice(0, details.file.lastIndexOf('/'));
    const kept = [details.file, ...['thumbnail', 'medium'].map((name) => `${folder}/${details.sizes[name].file}`)];
    // As between the file and the row, or the row and the end of the reservation.
    const lost = [
      await running.files.reserve(folder, 'lost.png'),
      await running.files.reserve(folder, 'lost-150x150.png', true),
    ];
    for (const key of lost) writeFileSync(join(site.folder, 'media', key), 'x');
    await running.files.mark(kept);
    const { now } = running;
    running.now = () => now() + 2 * DAY_MS;
    expect(await sweepFiles(writer)).toBe(2);
    const stray = `${folder}/stray-150x150.png`;
    writeFileSync(join(site.folder, 'media', stray), 'x');
    const findings = await auditFiles(models, store, running);
    running.now = now;
    expect(findings.map(({ message }) => message)).toEqual([`the file ${stray} belongs to no item`]);
    await fixData(findings, store);
    expect(stored()).toEqual([...before, ...kept].sort());
    expect(readFileSync(join(site.folder, 'media', kept[1]!)).length).toBe(details.sizes.thumbnail.filesize);
  });

  test('of an item whose details another program has broken stay, and the item is named and can be deleted', async () => {
    const { models, store, site: running } = site.site;
    const { id } = await upload('broken.png', await flat(400, 200).png().toBuffer());
    const table = models.byName.get('photo')!.table!.name;
    const before = stored();
    await store.transaction((tx) => tx.update(table, { media_details: '{broken' }, equals('id', id)));
    const { now } = running;
    running.now = () => now() + 2 * DAY_MS;
    const findings = await auditFiles(models, store, running);
    running.now = now;
    expect(findings.map(({ message }) => message)).toEqual([
      `photo ${id}: the details of its file are not JSON, so that its resized copies are not known`,
    ]);
    await fixData(findings, store);
    expect(stored()).toEqual(before);
    await site.send('DELETE', `/photos/${id}`, { query: { force: true }, status: 200 });
  });
});
