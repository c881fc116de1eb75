import { createRequire } from 'node:module';

import NodeEnvironment from 'jest-environment-node';

/** Objects of the process in which tests, and jest around them, put something of their own. */
const SHARED = [
  globalThis,
  process,
  process.env,
  Error,
  Date,
  createRequire(import.meta.url)('n8n-workflow'),
];

/** Where Node keeps the connections of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** The one registered symbol of jest's; what packages leave under theirs is theirs as long as they are loaded. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const isOfTests = (key) => typeof key === 'string' || key === HANDLERS || Symbol.keyFor(key) === undefined;

/**
 * Runs each file of tests in the realm of its process, not in one of its own, so that packages can be loaded once for all
 * files (runtime.mjs). At the end of a file, clock, mocks and everything in `SHARED` are as they were before it, and its
 * connections have ended.
 */
export default class OneRealm extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    this.before = SHARED.map((object) => Object.getOwnPropertyDescriptors(object));
    this.global = globalThis;
    const own = { config: config.projectConfig, global: globalThis };
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = new this.fakeTimersModern.constructor(own);
  }

  async teardown() {
    await super.teardown();
    SHARED.forEach((object, index) => restore(object, this.before[index]));
    await endConnections();
  }
}

function restore(object, before) {
  for (const key of Reflect.ownKeys(object)) {
    if (!Object.hasOwn(before, key) && isOfTests(key)) Reflect.deleteProperty(object, key);
  }
  for (const key of Reflect.ownKeys(before)) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    const { value, get } = before[key];
    if (now?.value !== value || now?.get !== get) Reflect.defineProperty(object, key, before[key]);
  }
}

/**
 * Ends the connections of `fetch`, and has the next file begin with none. One that ends later calls off the timers that it
 * made, by their numbers: those of a stopped clock begin anew in each file, so that it would call off another one's.
 */
async function endConnections() {
  const connections = globalThis[DISPATCHER];
  if (connections === undefined) return;
  globalThis[DISPATCHER] = new connections.constructor();
  await connections.destroy();
}
