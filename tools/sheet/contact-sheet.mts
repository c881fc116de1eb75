import sharp from 'sharp';

import type { Shot } from './take.mts';

const COLUMNS = 3;
const CELL_WIDTH = 520;
const CAPTION_HEIGHT = 44;
const GAP = 14;

/** Of the corner by which a panel of n8n can be made larger. */
const HANDLE_HEIGHT = 24;

/** A sheet isn't higher than this, so that its texts can be read at its full size. */
const HEIGHT = 1500;

interface Cell {
  picture: Buffer;
  height: number;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A picture without what is empty around it, below the title of its case and what the gateway had taken. */
async function cellOf({ title, picture, accepted, requests, hasHandle }: Shot): Promise<Cell> {
  const { width, height: whole } = await sharp(picture).metadata();
  // Without the handle in the corner, which would keep what is empty above it.
  const extract = { left: 0, top: 0, width, height: Math.max(1, whole - HANDLE_HEIGHT) };
  const panel = hasHandle ? await sharp(picture).extract(extract).toBuffer() : picture;
  const trimmed = await sharp(panel).trim({ threshold: 12 }).toBuffer();
  const inner = await sharp(trimmed)
    .resize({ width: CELL_WIDTH, withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true });
  const height = inner.info.height + CAPTION_HEIGHT;
  const caption = `<svg width="${CELL_WIDTH}" height="${CAPTION_HEIGHT}"><rect width="100%" height="100%" fill="#e4e8f0"/>
    <text x="6" y="17" font-family="sans-serif" font-size="14" font-weight="bold">${escaped(title)}</text>
    <text x="6" y="36" font-family="sans-serif" font-size="13" fill="#444">gateway: ${requests} requests, ${accepted} accepted</text></svg>`;
  const cell = sharp({ create: { width: CELL_WIDTH, height, channels: 3, background: 'white' } });
  return {
    height,
    picture: await cell
      .composite([
        { input: Buffer.from(caption), left: 0, top: 0 },
        { input: inner.data, left: 0, top: CAPTION_HEIGHT },
      ])
      .png()
      .toBuffer(),
  };
}

/** Lays pictures out on sheets, in their order: down each column, then the next. */
export async function contactSheets(shots: readonly Shot[]): Promise<Buffer[]> {
  const cells = await Promise.all(shots.map(cellOf));
  const sheets: Array<Array<{ cell: Cell; left: number; top: number }>> = [];
  let column = COLUMNS;
  let top = 0;
  for (const cell of cells) {
    if (column < COLUMNS && top + cell.height > HEIGHT && top > 0) {
      column += 1;
      top = 0;
    }
    if (column >= COLUMNS) {
      sheets.push([]);
      column = 0;
      top = 0;
    }
    sheets.at(-1)!.push({ cell, left: column * (CELL_WIDTH + GAP), top });
    top += cell.height + GAP;
  }
  return await Promise.all(
    sheets.map(async (placed) => {
      const height = Math.max(...placed.map(({ cell, top: at }) => at + cell.height));
      const width = COLUMNS * (CELL_WIDTH + GAP);
      const inputs = placed.map(({ cell, left, top: at }) => ({ input: cell.picture, left, top: at }));
      const sheet = sharp({ create: { width, height, channels: 3, background: '#c9ced8' } });
      return await sheet.composite(inputs).png({ palette: true }).toBuffer();
    }),
  );
}
