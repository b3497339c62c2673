/** A picture, or the part of one that changed. */
export interface FilmFrame {
  /** Even: the format keeps half of them. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly milliseconds: number;
  /** A still WebP file of that size. */
  readonly webp: Buffer;
}

/** The flags of `VP8X` for several frames, and that of `ANMF` for one that replaces what is below it. */
const IS_ANIMATED = 0x02;
const REPLACES = 0x02;
const HEADER = 12;

/** Puts frames together to an animated WebP that begins anew after its last frame, by the specification of the container. */
export function animatedWebp(width: number, height: number, frames: readonly FilmFrame[]): Buffer {
  const features = Buffer.alloc(10);
  features[0] = IS_ANIMATED;
  features.writeUIntLE(width - 1, 4, 3);
  features.writeUIntLE(height - 1, 7, 3);
  // A transparent background, and no end of its rounds.
  const animation = Buffer.alloc(6);
  const parts = [chunk('VP8X', features), chunk('ANIM', animation), ...frames.map(frameChunk)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]));
}

function frameChunk({ x, y, width, height, milliseconds, webp }: FilmFrame): Buffer {
  const head = Buffer.alloc(16);
  for (const [at, value] of [x / 2, y / 2, width - 1, height - 1, milliseconds].entries())
    head.writeUIntLE(value, at * 3, 3);
  head[15] = REPLACES;
  return chunk('ANMF', Buffer.concat([head, bitstreamOf(webp)]));
}

/** Returns the chunk with the dots of a still WebP file, without what a file may have around it. */
function bitstreamOf(webp: Buffer): Buffer {
  for (let at = HEADER; at < webp.length; ) {
    const end = at + 8 + padded(webp.readUInt32LE(at + 4));
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end);
    at = end;
  }
  throw new Error('This is no still picture in WebP.');
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(padded(content.length) - content.length)]);
}

/** Chunks begin at even places. */
function padded(length: number): number {
  return length + (length % 2);
}
