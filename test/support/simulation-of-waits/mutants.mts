/** Wrong versions of single rules of a wait, each of which the simulation has to catch. */
import type { Mutant } from '../simulation/mutants.mts';

const CALLBACKS = 'MessagingGateway/waiting/callbacks.ts';
const OPEN_WAIT = 'MessagingGateway/waiting/open-wait.ts';
const PACE = 'MessagingGateway/waiting/pace.ts';
const SELF_CALL = 'MessagingGateway/sleeping/self-call.ts';
const ADDRESS = 'MessagingGateway/sleeping/address.ts';
const WATCH = 'MessagingGateway/waiting/watch.ts';
const WATCHES = 'MessagingGateway/waiting/watches.ts';
const REPORTS = 'gateway/delivery/reports.ts';

export const WAIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'watches no wait from its first callback on',
    file: WATCHES,
    find: 'void watch.run()',
    replace: "if (!('getRequestObject' in context)) void watch.run()",
  },
  {
    name: 'passes on the items as they fell asleep',
    file: CALLBACKS,
    find: 'return report === undefined ? item :',
    replace: 'return report !== undefined ? item :',
  },
  {
    name: 'does not ask at the limit',
    file: CALLBACKS,
    find: 'if (call || (known',
    replace: 'if ((call && known === undefined) || (known',
    from: 110,
  },
  {
    name: 'keeps a key that was changed',
    file: WATCH,
    find: '    this.isStale = true;\n',
    replace: '',
    from: 83,
  },
  {
    name: 'loses a credential that n8n reads no more',
    file: WATCH,
    find: '    } catch (error) {\n',
    replace: '    } catch (error) {\n      this.transport = undefined;\n',
    from: 1979,
  },
  {
    name: 'asks a failing gateway as often as any',
    file: WATCH,
    find: 'return pace.afterFailure(this.retryAfter);',
    replace: 'return;',
    from: 133,
  },
  {
    name: 'asks about everything in every round',
    file: PACE,
    find: 'return share >= WORTHWHILE;',
    replace: 'return share >= 0;',
    from: 184,
  },
  {
    name: 'asks as often as at first',
    file: PACE,
    find: 'const MOST_GROWTH = 1.5;',
    replace: 'const MOST_GROWTH = 1;',
  },
  {
    name: 'keeps what is over',
    file: WATCHES,
    find: '.finally(() => this.watches.delete(key))',
    replace: '',
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
    from: 2924,
    file: SELF_CALL,
    find: "code !== status) return 'unclear';",
    replace: "false) return 'unclear';",
  },
  {
    name: 'watches no wait that nobody calls',
    file: WATCHES,
    find: 'void watch.run()',
    replace: "if ('getRequestObject' in context) void watch.run()",
  },
  {
    name: 'takes an execution that n8n has yet to save for one that is over',
    file: WATCH,
    find: 'Date.now() >= this.startedAt + SAVING)',
    replace: 'true)',
    from: 191,
  },
  {
    name: 'asks about an execution that a user has stopped',
    file: WATCH,
    find: '      await this.look();\n',
    replace: '',
    from: 81,
  },
  {
    name: 'looks and never sees that an execution is over',
    file: SELF_CALL,
    find: "if (wasAsleep) return 'over';\n  return status === 409 ? 'awake' : 'gone';",
    replace: "return 'unclear';",
    from: 81,
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
    from: 3391,
    file: REPORTS,
    find: "outcome === 'failed' && isSent && hasNextChannel",
    replace: "outcome === 'failed' && hasNextChannel",
  },
  {
    name: 'lets two calls at once share what is open between them',
    from: 68_645,
    file: WATCH,
    find: 'this.asking ??= this.askEach()',
    replace: 'this.asking = this.askEach()',
  },
];
