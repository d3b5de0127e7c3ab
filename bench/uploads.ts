// `npm run bench -- uploads [images] [clients]`: uploads of a camera image of 2 MB by several clients, while
// another client reads; on SQLite and a local disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { startServer, type RunningServer } from './servers.js';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'correct horse battery';
const READ_EVERY_MS = 20;

/** Runs the benchmark. */
export async function run([images = '200', clients = '8']: string[]): Promise<void> {
  const image = await cameraImage();
  const folder = mkdtempSync(join(tmpdir(), 'typecase-uploads-'));
  const typecase = await startServer('Typecase', [join(ROOT, 'dist/main.js')], {
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  try {
    await upload(typecase.origin, image);
    const cpu = typecase.cpuSeconds() ?? 0;
    const before = typecase.memory();
    const reading = new AbortController();
    const reads = readAllAlong(typecase.origin, reading.signal);
    const start = performance.now();
    const took = await together(typecase, image, { images: Number(images), clients: Number(clients) });
    const seconds = (performance.now() - start) / 1000;
    reading.abort();
    const mb = (bytes: number | undefined) => ((bytes ?? 0) / 2 ** 20).toFixed(0);
    process.stdout.write(
      `${images} images of ${(image.length / 1e6).toFixed(1)} MB by ${clients} clients on ${availableParallelism()} processors: ` +
        `${seconds.toFixed(1)} s, ${(took.length / seconds).toFixed(1)} a second\n` +
        `uploads: ${spread(took)}\nreads meanwhile: ${spread(await reads)}\n` +
        `processor time: ${((((typecase.cpuSeconds() ?? 0) - cpu) * 1000) / took.length).toFixed(0)} ms an image\n` +
        `memory: ${mb(before?.now)} MiB before, ${mb(typecase.memory()?.peak)} MiB at most\n`,
    );
  } finally {
    await typecase.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An image of twelve megapixels with the noise of a sensor. */
function cameraImage(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  return sharp({ create: { width: 1000, height: 750, channels: 3, background: '#888', noise } })
    .resize(4000, 3000)
    .jpeg({ quality: 70 })
    .toBuffer();
}

async function together(
  { origin }: RunningServer,
  image: Buffer,
  { images, clients }: { images: number; clients: number },
): Promise<number[]> {
  const took: number[] = [];
  let left = images;
  const client = async (): Promise<void> => {
    while (left-- > 0) took.push(await timed(() => upload(origin, image)));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return took;
}

async function upload(origin: string, image: Buffer): Promise<void> {
  const response = await fetch(`${origin}/cms/v2/media`, {
    method: 'POST',
    headers: {
      'Content-Type': 'image/jpeg',
      'Content-Disposition': 'attachment; filename="camera.jpg"',
      Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    },
    body: new Uint8Array(image),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  const { sizes } = (JSON.parse(text) as { media_details: { sizes: object } }).media_details;
  if (Object.keys(sizes).length !== 5) throw new Error(`copies are missing: ${text}`);
}

/** Requests lists until aborted, each at a new URL; returns the milliseconds of each. */
async function readAllAlong(origin: string, signal: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; !signal.aborted; n++) {
    took.push(
      await timed(async () => {
        const response = await fetch(`${origin}/cms/v2/posts?search=word${n}`);
        await response.text();
        if (response.status !== 200) throw new Error(`a list returned ${response.status}`);
      }),
    );
    await sleep(READ_EVERY_MS);
  }
  return took;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function spread(took: number[]): string {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  return `${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
