/**
 * Writes the table of calling codes anew; needed after an update of libphonenumber-js.
 *
 * Usage: node tools/calling-codes.mts (Node 24)
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { callingCodes } from './build/calling-codes.mts';
import { ROOT } from './paths.mts';

const { path, text } = callingCodes();
await writeFile(join(ROOT, path), text);
console.log(`Wrote ${path}`);
