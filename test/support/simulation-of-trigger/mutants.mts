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
    find: "reply.statusCode >= FIRST_ERROR ? 'release' : 'confirm'",
    replace: "'confirm'",
  },
  {
    name: 'acknowledges what repeats an event that n8n is still starting',
    file: DUPLICATES,
    find: 'return isOpen ? undefined : events',
    replace: 'return events',
  },
  {
    name: 'tells other processes of what n8n may fail to start',
    file: DUPLICATES,
    find: 'dump(SAVED, keys)',
    replace: 'dump(SAVED)',
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
    find: 'if (this.rankOf(keys.status, now) !== undefined) return false;',
    replace: '',
  },
  {
    name: 'starts for late statuses',
    file: RECENT,
    find: 'if ((this.rankOf(keys.message, now) ?? 0) > arrivalRank(event.outcome)) return false;',
    replace: '',
  },
  {
    name: 'forgets what it knew before a start that failed',
    from: 454,
    file: RECENT,
    find: 'while (left?.isReleased) left = left.before;',
    replace: 'if (left?.isReleased) left = undefined;',
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
