// Reads the metadata of audio and video files: length, rates, dimensions, tags. Runs in a thread of its own.
import { stat } from 'node:fs/promises';
import type { IAudioMetadata, IFormat } from 'music-metadata';
import { type Film, mp4Film } from './mp4-film.js';

/** The metadata of a recording; unknown members are left out. */
export interface Recording {
  /** Whole seconds, and the same as `m:ss` or `h:mm:ss`. */
  length?: number;
  length_formatted?: string;
  /** Bits per second. */
  bitrate?: number;
  fileformat?: string;
  codec?: string;
  /** Samples per second. */
  sample_rate?: number;
  channels?: number;
  lossless?: boolean;
  /** Pixels, of films. */
  width?: number;
  height?: number;
  title?: string;
  artist?: string;
  album?: string;
  genre?: string;
  year?: number;
  track_number?: number;
}

const MAX_TEXT = 200;
const CONTAINERS: readonly (readonly [RegExp, string])[] = [
  [/^(isom|iso\d|mp4\d|m4[av]|avc1|dash)/i, 'mp4'],
  [/^qt/i, 'quicktime'],
  [/^mpeg$/i, 'mp3'],
  [/^wave$/i, 'wav'],
  [/^ebml\/webm/i, 'webm'],
  [/^ebml/i, 'matroska'],
];

/** Reads the headers of the file at a path. Rejects for damaged files; empty for files of other kinds. */
export async function readRecording(path: string): Promise<Recording> {
  const { parseFile } = await import('music-metadata');
  const parsed = await parseFile(path, { skipCovers: true, duration: false });
  // music-metadata reports neither the dimensions of MP4 films nor the length of those without sound.
  const film = parsed.format.container === undefined ? {} : await mp4Film(path);
  return recordingOf(parsed, film, (await stat(path)).size);
}

/** The members that are shown: valid numbers and plain texts. `size`: bytes of the file. */
function recordingOf(
  { format, common }: Pick<IAudioMetadata, 'format' | 'common'>,
  film: Film,
  size: number,
): Recording {
  const seconds = format.duration ?? film.duration;
  const length = whole(seconds);
  const video = videoTrackOf(format);
  const width = whole(video?.pixelWidth ?? film.width);
  // For a film, music-metadata reports the bit rate of its sound only.
  const bitrate = width === undefined ? format.bitrate : (size * 8) / (seconds || Infinity);
  const found = {
    length,
    length_formatted: length === undefined ? undefined : formatted(length),
    bitrate: whole(bitrate),
    fileformat: containerOf(format),
    codec: text(format.codec),
    sample_rate: whole(format.sampleRate),
    channels: whole(format.numberOfChannels),
    lossless: typeof format.lossless === 'boolean' ? format.lossless : undefined,
    width,
    height: whole(video?.pixelHeight ?? film.height),
    title: text(common.title),
    artist: text(common.artist),
    album: text(common.album),
    genre: text(common.genre?.[0]),
    year: whole(common.year),
    track_number: whole(common.track?.no ?? undefined),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function containerOf({ container }: IFormat): string | undefined {
  const name = text(container);
  return CONTAINERS.find(([pattern]) => pattern.test(name ?? ''))?.[1] ?? name?.toLowerCase();
}

function videoTrackOf({ trackInfo }: IFormat) {
  return trackInfo?.find(({ video }) => video !== undefined)?.video;
}

function whole(value: number | undefined): number | undefined {
  const rounded = Math.round(value ?? 0);
  return rounded > 0 && rounded <= Number.MAX_SAFE_INTEGER ? rounded : undefined;
}

// Clients put these texts into pages: no tags, no control characters.
function text(value: string | undefined): string | undefined {
  const plain = typeof value === 'string' ? value.replace(/[<>\p{Cc}�]/gu, '').trim() : '';
  return plain === '' ? undefined : plain.slice(0, MAX_TEXT).toWellFormed();
}

function formatted(seconds: number): string {
  const two = (part: number) => String(part % 60).padStart(2, '0');
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
