// sharp, which takes a tenth of a second to load: a server that is sent no image starts without it.
import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The library, loaded at first use. */
export function loadSharp(): Promise<typeof sharp> {
  return (loading ??= load());
}

// One thread an image: the places of the queue bound the processors that images take. Nothing is decoded twice, so nothing is
// cached.
async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  return library;
}
