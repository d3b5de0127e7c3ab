// Loads sharp on demand: it takes a tenth of a second, which a server that receives no images need not spend.
import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The library, loaded at first use. */
export function loadSharp(): Promise<typeof sharp> {
  return (loading ??= load());
}

// One thread per image, so that the places of the queue limit the processors in use; no cache, because no image is read
// twice.
async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  return library;
}
