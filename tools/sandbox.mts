/**
 * Packs the sandbox as a package of its own, for people who have n8n and no clone: `npx ./<tarball>` starts it, and
 * `npx ./<tarball> check <address>` checks a gateway. Everything is in one file of plain JavaScript, so nothing else is installed.
 *
 * Usage: npm run sandbox
 */
import { basename } from 'node:path';

import { packSandbox } from './release/sandbox-package.mts';

const { tarball, bytes, parts } = await packSandbox();
console.log(`${tarball}\n  ${bytes} bytes${parts.length > 0 ? `, with ${parts.join(', ')}` : ''}`);
const name = basename(tarball);
console.log(`Anywhere, beside that file: npx ./${name}\n${' '.repeat(28)}npx ./${name} check <address>`);
