// Small audio and video files, made byte by byte: the repository contains no real recordings.

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A box of an MP4 file. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** The headers of an H.264 film without sound, and without its frames. */
export function mp4(width: number, height: number, seconds: number): Buffer {
  const ms = u32(seconds * 1000);
  const none = u32(0);
  const samples = box(
    'stbl',
    box('stsd', none, u32(1), box('avc1', Buffer.alloc(78))),
    ...['stts', 'stsc', 'stco'].map((type) => box(type, none, none)),
    box('stsz', none, none, none),
  );
  const media = box(
    'mdia',
    box('mdhd', none, none, none, u32(1000), ms, none),
    box('hdlr', none, none, Buffer.from('vide'), Buffer.alloc(12), Buffer.from('v\0')),
    box('minf', samples),
  );
  const track = box(
    'tkhd',
    u32(3),
    none,
    none,
    u32(1),
    none,
    ms,
    Buffer.alloc(52),
    u32(width << 16),
    u32(height << 16),
  );
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), none, Buffer.from('isommp42')),
    box('moov', box('mvhd', none, none, none, u32(1000), ms, Buffer.alloc(80)), box('trak', track, media)),
    box('mdat', Buffer.alloc(1000)),
  ]);
}

/** Silence of 128 kbit/s and 44.1 kHz in stereo, with these tags of ID3v2.3. */
export function mp3(seconds: number, tags: Record<string, string> = {}): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
  const texts = Object.entries(tags).map(([id, text]) => {
    const content = Buffer.from(`\x03${text}`);
    return Buffer.concat([Buffer.from(id), u32(content.length), u16(0), content]);
  });
  const body = Buffer.concat(texts);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (body.length >> shift) & 127));
  const frames = Array<Buffer>(Math.round((seconds * 44_100) / 1152)).fill(frame);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, body, ...frames]);
}

/** Silence of 16 bits and 8 kHz in mono. */
export function wav(seconds: number): Buffer {
  const rate = 8000;
  const data = Buffer.alloc(rate * seconds * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
