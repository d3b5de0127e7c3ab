// Which copies of an image are made, and how large each is.

/**
 * A size in pixels: a box that a copy fits into, unlimited where a side is left out; `crop`: the copy fills the box.
 */
export interface ImageSize {
  readonly width?: number;
  readonly height?: number;
  readonly crop?: boolean;
}

/** The name and exact dimensions of a copy. */
export interface PlannedCopy {
  name: string;
  width: number;
  height: number;
  crop: boolean;
}

/**
 * The copies of an image of `width` x `height` pixels: of each size that is smaller than the image. A copy is never
 * larger than the image; a crop of an image that is narrower or lower than its box is as large as both allow.
 */
export function plannedCopies(
  width: number,
  height: number,
  sizes: Readonly<Record<string, ImageSize>>,
): PlannedCopy[] {
  return Object.entries(sizes).flatMap(([name, size]) => {
    const target = size.crop ? cropped(width, height, size) : fitted(width, height, size);
    return target.width < width || target.height < height ? [{ name, ...target, crop: Boolean(size.crop) }] : [];
  });
}

/** The dimensions of an image that is shrunk into the box of a size, with its proportions kept. */
export function fitted(width: number, height: number, box: ImageSize): { width: number; height: number } {
  const scale = Math.min(1, (box.width ?? Infinity) / width, (box.height ?? Infinity) / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

function cropped(width: number, height: number, box: ImageSize): { width: number; height: number } {
  return { width: Math.min(width, box.width ?? width), height: Math.min(height, box.height ?? height) };
}
