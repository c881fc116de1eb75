/** Wrong versions of single rules of the trigger, each of which the simulation has to catch. */
import type { Mutant } from '../simulation/mutants.mts';

const DUPLICATES = 'MessagingGatewayTrigger/duplicates.ts';
const MEDIA = 'MessagingGatewayTrigger/media.ts';
const RECEIVE = 'MessagingGatewayTrigger/receive.ts';
const RECENT = 'gateway/callback/recent.ts';
const REPORTS = 'gateway/delivery/reports.ts';

export const TRIGGER_MUTANTS: readonly Mutant[] = [
  {
    name: 'answers before n8n has started anything',
    file: RECEIVE,
    find: 'return { webhookResponse: ACKNOWLEDGED, workflowData: [items] };',
    replace: 'return { ...answer(context, 200, ACKNOWLEDGED), workflowData: [items] };',
  },
  {
    name: 'takes what n8n failed to start for known',
    file: DUPLICATES,
    find: 'const hasStarted = reply.statusCode < FIRST_ERROR;',
    replace: 'const hasStarted = true;',
  },
  {
    name: 'acknowledges what repeats an event that n8n is still starting',
    file: DUPLICATES,
    find: 'return isOpen ? undefined : fresh;',
    replace: 'return isOpen ? [] : fresh;',
  },
  {
    name: 'knows what n8n may fail to start',
    file: DUPLICATES,
    find: 'starting.push({ reply, marks, at });',
    replace: 'recent.add(marks, at);',
  },
  {
    name: 'saves nothing',
    file: RECEIVE,
    find: ') duplicates.save();',
    replace: ') duplicates;',
  },
  {
    name: 'starts for each repeat',
    file: RECENT,
    find: 'if (rankOf(keys.status) !== NEVER) return false;',
    replace: '',
  },
  {
    name: 'starts for late statuses',
    file: RECENT,
    find: 'if (rankOf(keys.message) > arrivalRank(event.outcome)) return false;',
    replace: '',
  },
  {
    name: 'lets what came earlier lower how far a message got',
    file: RECENT,
    find: 'if (rank < this.rankOf(key, time)) continue;',
    replace: '',
    from: 145,
  },
  {
    name: 'looks for other calls only before it has asked the gateway',
    file: DUPLICATES,
    find: 'const candidates = this.withoutKnown(events);',
    replace: 'const candidates = events as CallbackEvent[] | undefined;',
  },
  {
    name: 'waits for files as long as they take',
    file: MEDIA,
    find: 'const LONGEST = 10_000;',
    replace: 'const LONGEST = 100_000;',
  },
  {
    name: 'takes a status with success for what its word says',
    file: REPORTS,
    find: "  if (success === true) return arrivalRank(named) > 0 ? named : 'delivered';\n",
    replace: '',
  },
  {
    name: 'waits for the next channel of what was refused',
    file: REPORTS,
    find: "outcome === 'failed' && isSent && hasNextChannel",
    replace: "outcome === 'failed' && hasNextChannel",
  },
];
