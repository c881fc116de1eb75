/** Makes the package of the sandbox out of `sandbox/`: one bundled file, the files of the phone page, and what a package needs. */
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { build } from 'esbuild';
import type { Metafile } from 'esbuild';

import { ROOT, TMP } from '../paths.mts';
import { mustRun } from '../run-command.mts';

export const SANDBOX_PACKAGE = 'messaging-gateway-sandbox';

const TARBALL = join(TMP, `${SANDBOX_PACKAGE}.tgz`);

/** The oldest Node that runs it: that of n8n 1.123, with `import.meta.dirname`. */
const OLDEST_NODE = '20.11';

export interface PackedSandbox {
  tarball: string;
  bytes: number;

  /** Packages of others whose code is in the bundle, as name@version. */
  parts: string[];
}

/** Bundles and packs the sandbox. */
export async function packSandbox(): Promise<PackedSandbox> {
  await mkdir(TMP, { recursive: true });
  // A folder of its own: tests and a release may pack at the same time.
  const folder = await mkdtemp(join(TMP, `${SANDBOX_PACKAGE}-`));
  try {
    const parts = await fill(folder);
    const pack = ['pack', '--json', '--silent', '--pack-destination', folder, folder];
    const [{ filename }] = JSON.parse(await mustRun('npm', pack)) as Array<{ filename: string }>;
    await rename(join(folder, filename), TARBALL);
    return { tarball: TARBALL, bytes: (await stat(TARBALL)).size, parts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes what is in the package into a folder. @returns packages of others whose code is in the bundle, as name@version */
async function fill(folder: string): Promise<string[]> {
  const main = join(folder, 'sandbox.mjs');
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['sandbox/main.mts'],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${OLDEST_NODE}`,
    metafile: true,
    logLevel: 'warning',
    // Packages in CommonJS load modules of Node by `require`, which an ES module has to be given.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
  await chmod(main, 0o755);
  await cp(join(ROOT, 'sandbox', 'page'), join(folder, 'page'), { recursive: true });
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(ROOT, 'docs', 'sandbox.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  return await writeNotices(metafile, folder);
}

/** Private, so that it can't be published by mistake. */
async function manifest(): Promise<Record<string, unknown>> {
  const { version, license, author, repository } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  return {
    name: SANDBOX_PACKAGE,
    version,
    description:
      'A stand-in for a messaging gateway, with a phone page, and a check whether a gateway speaks its contract',
    private: true,
    type: 'module',
    bin: { [SANDBOX_PACKAGE]: 'sandbox.mjs' },
    engines: { node: `>=${OLDEST_NODE}` },
    license,
    author,
    repository,
  };
}

/** Writes the licences of bundled packages beside the bundle. @returns the packages, as name@version */
async function writeNotices({ inputs }: Metafile, folder: string): Promise<string[]> {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const notices = new Map<string, string>();
  for (const path of folders) {
    const at = join(ROOT, ...path.split('/'));
    const { name, version, license } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const file = (await readdir(at)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : await readFile(at + sep + file, 'utf8');
    notices.set(`${name}@${version}`, `${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  const parts = [...notices.keys()].sort();
  if (parts.length > 0) {
    const text = parts.map((part) => notices.get(part)).join(`\n${'-'.repeat(80)}\n\n`);
    await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), text);
  }
  return parts;
}
