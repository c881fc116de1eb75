/** Wrong versions of single rules of a wait, each of which the simulation has to catch. */
import type { Mutant } from '../simulation/mutants.mts';

const CALLBACKS = 'MessagingGateway/waiting/callbacks.ts';
const ENGINE = 'MessagingGateway/waiting/engine.ts';
const KEEPER = 'MessagingGateway/waiting/keeper.ts';
const OPEN_WAIT = 'MessagingGateway/waiting/open-wait.ts';
const PACE = 'MessagingGateway/waiting/pace.ts';
const SELF_CALL = 'MessagingGateway/sleeping/self-call.ts';
const ADDRESS = 'MessagingGateway/sleeping/address.ts';
const REPORTS = 'gateway/delivery/reports.ts';
const BOOTSTRAP = 'MessagingGateway/sleeping/bootstrap.ts';

export const WAIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'adopts no wait at a callback',
    file: CALLBACKS,
    find: "if (known === undefined || call?.todo === 'adopt') await keeper.adopt",
    replace: "if (call?.todo === 'adopt') await keeper.adopt",
  },
  {
    name: 'passes on the items as they fell asleep',
    file: CALLBACKS,
    find: 'return report === undefined ? item :',
    replace: 'return report !== undefined ? item :',
  },
  {
    name: 'does not ask at the limit',
    file: ENGINE,
    find: '    if (!this.isOver && !wait.isResumed) await this.askLast();\n',
    replace: '',
  },
  {
    name: 'keeps a key that was changed',
    file: KEEPER,
    find: 'const request = lastingRequest(context);\n    kept.transport =',
    replace: 'const request = lastingRequest(context);\n    kept.transport ??=',
  },
  {
    name: 'asks a failing gateway as often as any',
    file: ENGINE,
    find: 'pace.afterFailure(failure?.retryAfter);',
    replace: '',
  },
  {
    name: 'asks about everything in every round',
    file: PACE,
    find: 'return share >= WORTHWHILE;',
    replace: 'return share >= 0;',
  },
  {
    name: 'asks as often as at first',
    file: PACE,
    find: 'const MOST_GROWTH = 1.5;',
    replace: 'const MOST_GROWTH = 1;',
  },
  {
    name: 'keeps what is over',
    file: KEEPER,
    find: '      this.kept.delete(key);\n      this.putOff',
    replace: '      this.putOff',
  },
  {
    name: 'takes a callback whose id is of nobody',
    file: OPEN_WAIT,
    find: 'hasName(event.id) ? names.slice(0, 1) : names',
    replace: 'names',
  },
  {
    name: 'lets a late interim status replace an outcome',
    file: OPEN_WAIT,
    find: '    if (!replaces(message.classified.outcome, classified.outcome)) return;\n',
    replace: '',
  },
  {
    name: 'takes the answer of a proxy for that of n8n',
    from: 2784,
    file: SELF_CALL,
    find: "if (typeof body !== 'object' || body === null) return 'later';",
    replace: "if (typeof body !== 'object' || body === null) return 'over';",
  },
  {
    name: 'looks after no wait that nobody calls',
    file: KEEPER,
    find: '    this.start(kept, note, selfCaller(request, ownAddresses(context), warnOfOwnAddress(context)));\n',
    replace: '',
  },
  {
    name: 'asks about an execution that a user has stopped',
    file: ENGINE,
    find: '      await this.look();\n',
    replace: '',
  },
  {
    name: 'looks and never sees that an execution is over',
    file: SELF_CALL,
    find: "if (wasAsleep || message.includes('matching path/method')) return 'over';\n  if (status === 409)",
    replace: "if (status === 409 && message.includes('running'))",
  },
  {
    name: 'tries its public address only',
    file: ADDRESS,
    find: ': USUAL_PORT, USUAL_PORT]);',
    replace: ': USUAL_PORT].slice(1));',
  },
  {
    name: 'tells nobody why nothing wakes the execution',
    from: 290,
    file: SELF_CALL,
    find: "if (!hasWarned) warn(reasons.join('; '));",
    replace: '',
  },
  {
    name: 'waits for the next channel of what was refused',
    from: 2363,
    file: REPORTS,
    find: "outcome === 'failed' && isSent && hasNextChannel",
    replace: "outcome === 'failed' && hasNextChannel",
  },
  {
    name: 'has a sleep adopted by the first call or never',
    file: BOOTSTRAP,
    find: "if (answer === 'asleep' || answer === 'over') return;",
    replace: 'if (answer !== undefined) return;',
  },
];
