/**
 * Runs n8n's verification scanner without the network: over the sources, as it would over the attested commit, and
 * over the packed tarball. Ends with 1 when either leg finds something.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packed, unpack } from './package.mts';
import { ROOT } from './paths.mts';

interface Finding {
  passed: boolean;
  message?: string;
  details?: string;
}

interface Scanner {
  SOURCE_FILE_PATTERNS: string[];
  analyzePackage(folder: string, patterns: string[]): Promise<Finding>;
}

const SCANNER = join(ROOT, 'tools/scanner/node_modules/@n8n/scan-community-package/scanner/scanner.mjs');

const scanner = (await import(pathToFileURL(SCANNER).href)) as Scanner;
// Outside the checkout: n8n's lint would read it as sources.
const folder = await mkdtemp(join(tmpdir(), 'scanned-tarball-'));
await unpack(await packed(), folder);
const findings = {
  source: await scanner.analyzePackage(ROOT, scanner.SOURCE_FILE_PATTERNS),
  tarball: await scanner.analyzePackage(folder, ['**/*.js', 'package.json']),
};
await rm(folder, { recursive: true, force: true });
for (const [leg, { passed, message, details }] of Object.entries(findings)) {
  console.log(`${leg}: ${passed ? `passed ${message ?? ''}` : `${message}\n${details ?? ''}`}`);
}
process.exitCode = Object.values(findings).every(({ passed }) => passed) ? 0 : 1;
