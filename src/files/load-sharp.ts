// sharp, which takes a tenth of a second to load: a server that is sent no image starts without it.
import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The library, loaded at first use. */
export function loadSharp(): Promise<typeof sharp> {
  return (loading ??= load());
}

// One thread per image, so that the places of the queue limit the processors in use; no cache, as nothing is read
// twice.
async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  return library;
}
