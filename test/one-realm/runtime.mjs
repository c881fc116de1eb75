import { createRequire, isBuiltin } from 'node:module';
import { isAbsolute, sep } from 'node:path';
import vm from 'node:vm';

import Runtime from 'jest-runtime';

const INSTALLED = `${sep}node_modules${sep}`;

/** What jest gives to each file itself. */
const isOfJest = (name) => name === 'expect' || name.startsWith('@jest/');

/** Whether a file imports an installed package, or something within the one that it is of. */
function isInstalled(from, name) {
  if (isBuiltin(name) || isOfJest(name)) return false;
  return name.startsWith('.') || isAbsolute(name) ? `${from}${name}`.includes(INSTALLED) : true;
}

/** Node's own `require` of each file. */
const requires = new Map();

function requireAsNode(from, name) {
  if (!requires.has(from)) requires.set(from, createRequire(from));
  return requires.get(from)(name);
}

/**
 * Loads sources and tests anew for each file, as jest does, but installed packages once for a process, as Node does: n8n's
 * engine takes longer to load than most files take to run. What a package remembers, later files find.
 */
export default class OneRealmRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    // A script of the process; V8 keeps its code from one file to the next.
    executor.compile = (source, filename) =>
      new vm.Script(`${head}${source}\n})`, {
        filename,
        columnOffset: -head.length,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      }).runInThisContext();
  }

  requireModuleOrMock(from, name) {
    return isInstalled(from, name) ? requireAsNode(from, name) : super.requireModuleOrMock(from, name);
  }
}
