import type * as Crypto from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { transformSync } from '@swc/core';
import type { VirtualClock } from './clock.mts';
import { plainController } from './clock.mts';
import type { Random } from './random.mts';
import { seeded } from './random.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const NODES = join(ROOT, 'nodes');
const nativeRequire = createRequire(join(ROOT, 'package.json'));

/** The sources as one process has them: with what they remember, and with a clock of their own. */
interface Modules {
  /** Returns what a file of the sources exports; takes its path below `nodes/`. */
  load(file: string): Record<string, unknown>;
  /** Whose time the code sees from now on. */
  setClock(clock: VirtualClock): void;

  /** Replaces exports of a file for all files that are loaded after this. */
  replace(file: string, change: (actual: any) => object): void;
}

/** Replaces methods of the classes of the sources. */
export type Change = (modules: Modules) => void;

/** Returns a change that replaces methods of a class, which a file below `nodes/` exports. */
export const withMethods =
  (file: string, name: string, methods: Record<string, (...values: any[]) => unknown>): Change =>
  (modules) => {
    const { prototype } = modules.load(file)[name] as { prototype: object };
    const missing = Object.keys(methods).filter((method) => !(method in prototype));
    if (missing.length > 0) throw new Error(`${name} has no ${missing.join(', ')}`);
    Object.assign(prototype, methods);
  };

/** Returns a change that replaces exports of a file below `nodes/`. */
export const withExports =
  (file: string, change: (actual: any) => object): Change =>
  (modules) =>
    modules.replace(file, change);

/** The published code, loaded with a clock of its own. */
export interface Product extends Modules {
  /** Returns the same sources as another process has them, which remembers nothing. */
  newProcess(clock: VirtualClock): Modules;
}

type Module = { exports: Record<string, unknown> };

/** What the code of a file sees as its own: everything else is the same for all processes. */
const NAMES = ['exports', 'require', 'module', 'Date', 'AbortSignal'];

type Body = (...values: unknown[]) => void;

/** Models of a gateway say themselves when a time limit is over; a real one would keep what it belongs to for a minute. */
class NoTimeLimit extends AbortSignal {
  static override timeout(): AbortSignal {
    return plainController().signal;
  }
}

const compiled = new Map<string, Body>();

/** Returns the code of a file as a function of `NAMES`, which each process calls anew; it is compiled once. */
function bodyOf(path: string): Body {
  const known = compiled.get(path);
  if (known !== undefined) return known;
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    filename: path,
    swcrc: false,
    configFile: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const body = new Function(...NAMES, `${code}\n//# sourceURL=${path}`) as Body;
  compiled.set(path, body);
  return body;
}

const resolved = new Map<string, string>();

/** Returns the file of an imported path. Each seed loads all files anew, for several processes. */
function resolveFile(path: string): string {
  const known = resolved.get(path);
  if (known !== undefined) return known;
  const file =
    [`${path}.ts`, join(path, 'index.ts')].find((one) =>
      statSync(one, { throwIfNoEntry: false })?.isFile(),
    ) ?? path;
  resolved.set(path, file);
  return file;
}

const crypto = nativeRequire('crypto') as typeof Crypto;

const secretKeys = new WeakMap<object, Crypto.KeyObject>();

/** As `createHmac`, which takes four times as long where a key isn't an object of its own. */
function createHmac(algorithm: string, key: Crypto.BinaryLike): Crypto.Hmac {
  if (typeof key === 'string') return crypto.createHmac(algorithm, key);
  const known = secretKeys.get(key) ?? crypto.createSecretKey(key as Buffer);
  secretKeys.set(key, known);
  return crypto.createHmac(algorithm, known);
}

/** What files get as `crypto` and `n8n-workflow`, with plain fields: their own are getters, which take long to copy. */
const CRYPTO = { ...crypto, createHmac };
const WORKFLOW = { ...(nativeRequire('n8n-workflow') as object) };

/** Folders of tables and schemas, which are the same for all processes: they know no time, and remember nothing. */
const TABLES = ['gateway/contract/', 'gateway/numbers/'].map((folder) => join(NODES, folder));
const tables = new Map<string, Module>();

/**
 * Loads the sources on a virtual clock: `Date.now` is the clock's, and random ids are drawn anew for each; all else is real.
 */
function loadModules(change: Change, first?: VirtualClock): Modules {
  let clock: VirtualClock | undefined;
  let random: Random | undefined;
  const ticking = (): VirtualClock => {
    if (!clock) throw new Error('The product has no clock yet');
    return clock;
  };
  class VirtualDate extends Date {
    static override now(): number {
      return ticking().now;
    }
  }
  const outside: Record<string, unknown> = {
    crypto: {
      ...CRYPTO,
      randomInt: (least: number, end = 0) => random?.between(Math.min(least, end), Math.max(least, end) - 1),
    },
    'n8n-workflow': {
      ...WORKFLOW,
      async sleepWithAbort(milliseconds: number, signal?: AbortSignal) {
        signal?.throwIfAborted();
        const aborted = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
        await Promise.race([ticking().sleep(milliseconds), aborted]);
      },
    },
  };
  const modules = new Map<string, Module>();

  const load = (path: string): Record<string, unknown> => {
    const loaded = TABLES.some((folder) => path.startsWith(folder)) ? tables : modules;
    const known = loaded.get(path);
    if (known) return known.exports;
    const module: Module = { exports: {} };
    loaded.set(path, module);
    const require = (name: string): unknown =>
      name.startsWith('.')
        ? load(resolveFile(join(dirname(path), name)))
        : (outside[name] ?? (nativeRequire(name) as unknown));
    // The file runs with the clock's time instead of the machine's.
    bodyOf(path)(module.exports, require, module, VirtualDate, NoTimeLimit);
    return module.exports;
  };

  const own: Modules = {
    load: (file) => load(join(NODES, file)),
    replace(file, change) {
      const actual = load(join(NODES, file));
      const changed = change(actual);
      const missing = Object.keys(changed).filter((name) => !(name in actual));
      if (missing.length > 0) throw new Error(`${file} has no ${missing.join(', ')}`);
      modules.set(join(NODES, file), { exports: { ...actual, ...changed } });
    },
    setClock(next) {
      clock = next;
      random = seeded(Math.floor(next.now), 17);
    },
  };
  change(own);
  if (first) own.setClock(first);
  return own;
}

/** Loads the node from its sources, on a virtual clock. A change makes it another node, in every process. */
export function loadProduct(change: Change = () => undefined): Product {
  const modules = loadModules(change);
  return { ...modules, newProcess: (clock) => loadModules(change, clock) };
}
