/** Pictures of screens in few bytes: a PNG with a palette of 256 colours, which is what such pictures hold. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;

interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, by rows. */
  rgb: Uint8Array;
}

/**
 * Returns a PNG of the same picture with at most 256 colours: those that occur most often, and one for each group of
 * similar others; each other pixel gets the nearest of them.
 * @param png 8 bits for each of red, green, blue and perhaps alpha (which is ignored), not interlaced, as Chromium
 * writes them
 * @throws Error for any other PNG
 */
export function withFewColours(png: Buffer): Buffer {
  const { width, height, rgb } = decode(png);
  const palette = choosePalette(rgb);
  const indices = toIndices(rgb, palette);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The width and height of a PNG in pixels. */
export const sizeOf = (png: Buffer): { width: number; height: number } => ({
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20),
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function decode(png: Buffer): Pixels {
  const { width, height } = sizeOf(png);
  const [depth, colourType, , , interlace] = png.subarray(24, 29);
  const channels = { 2: 3, 6: 4 }[colourType];
  if (depth !== 8 || channels === undefined || interlace !== 0)
    throw new Error('Not a PNG as Chromium writes it');
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rgb.set(rows.subarray(pixel * channels, pixel * channels + 3), pixel * 3);
  }
  return { width, height, rgb };
}

/** Undoes the filter of each row (PNG specification, section 9). */
function unfilter(filtered: Buffer, bytes: number, channels: number): Buffer {
  const rows = filtered.length / (bytes + 1);
  const plain = Buffer.alloc(rows * bytes);
  for (let y = 0; y < rows; y++) {
    const filter = filtered[y * (bytes + 1)];
    for (let x = 0; x < bytes; x++) {
      const left = x < channels ? 0 : plain[y * bytes + x - channels];
      const up = y === 0 ? 0 : plain[(y - 1) * bytes + x];
      const corner = x < channels || y === 0 ? 0 : plain[(y - 1) * bytes + x - channels];
      plain[y * bytes + x] = filtered[y * (bytes + 1) + 1 + x] + predicted(filter, left, up, corner);
    }
  }
  return plain;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const guess = left + up - corner;
      const [byLeft, byUp, byCorner] = [left, up, corner].map((one) => Math.abs(guess - one));
      if (byLeft <= byUp && byLeft <= byCorner) return left;
      return byUp <= byCorner ? up : corner;
    }
    default:
      return 0;
  }
}

const colourAt = (rgb: Uint8Array, pixel: number): number =>
  (rgb[3 * pixel] << 16) | (rgb[3 * pixel + 1] << 8) | rgb[3 * pixel + 2];

/** Colours that are kept as they are: areas, and most of what is drawn. */
const KEPT = 96;

/** Bits that similar colours differ in, from none to many. */
const COARSENESS = [0, 1, 2, 3, 4, 5, 6];

function choosePalette(rgb: Uint8Array): number[] {
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < rgb.length / 3; pixel++) {
    const colour = colourAt(rgb, pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  for (const bits of COARSENESS) {
    // The most frequent colour stands for each group of similar ones.
    const palette = byCount.slice(0, KEPT);
    const groups = new Set(palette.map((colour) => groupOf(colour, bits)));
    for (const colour of byCount.slice(KEPT)) {
      const group = groupOf(colour, bits);
      if (!groups.has(group)) palette.push(colour);
      groups.add(group);
    }
    if (palette.length <= MOST_COLOURS) return palette;
  }
  return byCount.slice(0, MOST_COLOURS);
}

const groupOf = (colour: number, bits: number): number =>
  (((colour >> 16) >> bits) << 16) | ((((colour >> 8) & 255) >> bits) << 8) | ((colour & 255) >> bits);

function toIndices(rgb: Uint8Array, palette: number[]): Uint8Array {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  const indices = new Uint8Array(rgb.length / 3);
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const colour = colourAt(rgb, pixel);
    let index = known.get(colour);
    if (index === undefined) {
      index = nearest(colour, palette);
      known.set(colour, index);
    }
    indices[pixel] = index;
  }
  return indices;
}

function nearest(colour: number, palette: number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((candidate, index) => {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 255) - ((candidate >> shift) & 255)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}
