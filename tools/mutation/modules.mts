/** Loads sources and tests as jest does, each file compiled once for all mutants. */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { compileFunction } from 'node:vm';

import { transformSync } from '@swc/core';

const nativeRequire = createRequire(join(process.cwd(), 'package.json'));

type Exports = Record<string, unknown>;
type Body = (
  exports: Exports,
  require: (name: string) => unknown,
  module: { exports: Exports },
  filename: string,
  folder: string,
) => void;

const compiled = new Map<string, Body>();

function compile(path: string): Body {
  const known = compiled.get(path);
  if (known) return known;
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    filename: path,
    swcrc: false,
    configFile: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const body = compileFunction(code, parameters, { filename: path }) as Body;
  compiled.set(path, body);
  return body;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const resolved = new Map<string, string>();

function resolveFile(path: string): string {
  const known = resolved.get(path);
  if (known !== undefined) return known;
  const found = [path, `${path}.ts`, join(path, 'index.ts')].find(isFile) ?? path;
  resolved.set(path, found);
  return found;
}

/** The most values with which a property is checked: each is checked hundreds of times, once for each mutant. */
const MOST_RUNS = 30;

type FastCheck = Exports & { assert(property: unknown, options?: { numRuns?: number }): unknown };

function checkedLess(fastCheck: FastCheck): Exports {
  const assert: FastCheck['assert'] = (property, { numRuns = MOST_RUNS, ...options } = {}) =>
    fastCheck.assert(property, { ...options, numRuns: Math.min(numRuns, MOST_RUNS) });
  const changed = { ...fastCheck, assert };
  return { ...changed, __esModule: true, default: changed };
}

const packages = new Map<string, unknown>();

/** Packages are loaded once for all: nothing in them is under test. */
function loadPackage(name: string): unknown {
  if (!packages.has(name)) {
    const loaded = nativeRequire(name) as Exports;
    packages.set(name, name === 'fast-check' ? checkedLess(loaded as FastCheck) : loaded);
  }
  return packages.get(name);
}

/** Returns a function that loads files, each once; another call loads them all anew. */
export function createLoader(): (path: string) => Exports {
  const modules = new Map<string, { exports: Exports }>();
  const load = (path: string): Exports => {
    const known = modules.get(path);
    if (known) return known.exports;
    if (!/^\.m?ts$/.test(extname(path))) return nativeRequire(path) as Exports;
    const module = { exports: {} };
    modules.set(path, module);
    const folder = dirname(path);
    const require = (name: string): unknown =>
      name.startsWith('.') ? load(resolveFile(join(folder, name))) : loadPackage(name);
    compile(path)(module.exports, require, module, path, folder);
    return module.exports;
  };
  return load;
}
