import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { OpenWait } from '../../gateway/client/open-wait';
import { hasArrived } from '../../gateway/delivery/outcomes';
import type { Report } from '../../gateway/delivery/reports';
import { withReport } from '../../gateway/delivery/reports';
import { startWatching, watches } from '../suspend/poller';
import type { ApprovalNote } from './output';

type AskedQuestion = Pick<ApprovalNote, 'key' | 'limitAt' | 'recipients' | 'type'>;

/** Returns what this process knows of the messages of a question. */
export const messagesOf = ({ key, recipients, type }: Omit<AskedQuestion, 'limitAt'>): OpenWait =>
  watches.get(key)?.messages ??
  new OpenWait(recipients.map((recipient) => ({ ...recipient, type, final: false })));

/** Says of the messages of a question that one has arrived, that all have failed for good, or that neither is known yet. */
export function fateOf({ outcomes }: OpenWait): 'open' | 'arrived' | 'failed' {
  if (outcomes.some(hasArrived)) return 'arrived';
  return outcomes.every((outcome) => outcome === 'failed') ? 'failed' : 'open';
}

/** The longest that the gateway keeps trying to deliver (gateway-api.md, "Limits": `sms_lifetime`), in milliseconds. */
const LONGEST_DELIVERY_MS = 259_200_000;

/** The poller does this next, by the fate of the messages. Once a message has arrived, the question waits for a person alone. */
const NEXT_BY_FATE = { open: 'ask', arrived: 'forget', failed: 'wake' } as const;

/**
 * Has the poller of the account ask about the messages of a question until one has arrived. Where all failed for good, the poller calls
 * the execution at the address, which n8n signed, and `receiveAnswer` wakes it.
 */
export async function watchMessages(
  context: IExecuteFunctions,
  note: AskedQuestion,
  address: string,
): Promise<void> {
  const messages = messagesOf(note);
  const limitAt = Math.min(note.limitAt, Date.now() + LONGEST_DELIVERY_MS);
  await startWatching(context, {
    key: note.key,
    messages,
    limitAt,
    call: { address },
    // At the limit of the question, n8n itself goes on; a message that is older than three days arrives no more.
    todo: (now) => (now >= limitAt ? 'forget' : NEXT_BY_FATE[fateOf(messages)]),
  });
}

/** Adds to each message of the output the state that the gateway reported, and the reason of a failure. */
export const withReasons = (messages: IDataObject[], known: OpenWait): IDataObject[] =>
  messages.map((message) => {
    const report = known.reportOn(message.id);
    return report === undefined ? message : withReport(message, reasonIn(report));
  });

/** The fields of a report that say what became of a message: any other may quote the message, and with it the link. */
const REASON_FIELDS = ['success', 'status', 'type', 'error', 'updated', 'msg_id'];

/** The signature that n8n puts into each link. */
const SIGNATURE = /[\da-f]{64}/gi;

function reasonIn(report: Report): Report {
  const fields = REASON_FIELDS.flatMap((name): Array<[string, unknown]> => {
    const value = report[name];
    if (typeof value === 'object' || value === undefined) return [];
    return [[name, typeof value === 'string' ? value.replace(SIGNATURE, '***') : value]];
  });
  return Object.fromEntries(fields);
}
