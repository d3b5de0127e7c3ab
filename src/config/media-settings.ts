// The settings of uploaded files and of the copies of images.
import * as urls from './url-parsers.js';
import * as read from './parsers.js';
import { isS3Url } from './s3-location.js';
import { invalidValue, type Variables } from './variables.js';
import type { Config } from './settings.js';

/** The sizes that WordPress clients expect. */
const IMAGE_SIZES = {
  thumbnail: { width: 150, height: 150, crop: true },
  medium: { width: 300, height: 300 },
  medium_large: { width: 768 },
  large: { width: 1024, height: 1024 },
};

/** Formats in which copies can be written. */
const FORMATS = ['webp', 'avif', 'jpeg', 'png'];
/** Common widths of screens. */
const ON_DEMAND = [320, 640, 960, 1280, 1920].map((width) => ({ width }));

type MediaConfig = Pick<
  Config,
  'mediaUrl' | 'privateMediaDir' | 'fileAddressLifetime' | 'imageSizes' | 'imagesOnDemand'
>;

/** The storage of uploaded files, and the copies of images. */
export function mediaSettings(variables: Variables): MediaConfig {
  const url = mediaUrl(variables);
  const folder = url.startsWith('file:') ? url.slice('file:'.length) : 'data/media';
  const beside = `${folder.replace(/[\\/]+$/, '')}-private`;
  const lifetime = variables.get('FILE_ADDRESS_LIFETIME', 15 * 60_000, read.DURATION, read.duration);
  if (lifetime < 2_000)
    variables.problems.push(invalidValue('FILE_ADDRESS_LIFETIME', 'URLs must be valid for at least 2s'));
  return {
    mediaUrl: url,
    privateMediaDir: variables.text('PRIVATE_MEDIA_DIR', beside),
    fileAddressLifetime: lifetime,
    imageSizes: variables.get<Config['imageSizes']>(
      'IMAGE_SIZES',
      IMAGE_SIZES,
      'off, or a list such as thumbnail=150x150-crop, medium=300x300, wide=1200x',
      read.imageSizes,
    ),
    imagesOnDemand: {
      boxes: variables.get<Config['imagesOnDemand']['boxes']>(
        'IMAGE_ON_DEMAND',
        ON_DEMAND,
        'off, or a list such as 320x, 640x, 400x300',
        read.imageBoxes,
      ),
      formats: variables
        .get('IMAGE_ON_DEMAND_FORMATS', ['webp'], `a list of ${FORMATS.join(', ')}, or off`, (text) =>
          read.flag(text) === false ? [] : read.wordsOf(FORMATS)(text),
        )
        .map((format) => `image/${format}`),
    },
  };
}

function mediaUrl(variables: Variables): string {
  const directory = variables.get<string | undefined>('MEDIA_DIR', undefined, 'a folder', read.anyText);
  const allowed = 'file:<path> or s3://bucket/prefix?endpoint=…&region=…';
  const parse = (text: string) => {
    const found = urls.mediaUrl(text);
    return found?.startsWith('s3:') && !isS3Url(found) ? undefined : found;
  };
  const url = variables.get<string | undefined>('MEDIA_URL', undefined, allowed, parse, urls.masked);
  const short = directory === undefined ? undefined : `file:${directory}`;
  if (url !== undefined && short !== undefined && url !== short) {
    variables.problems.push(
      invalidValue('MEDIA_DIR', `"${directory}" says something else than MEDIA_URL; give only one of them`),
    );
  }
  return url ?? short ?? 'file:data/media';
}
