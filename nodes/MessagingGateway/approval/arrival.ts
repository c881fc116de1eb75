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

/** Whether one message of a question has arrived, all have failed for good, or neither: then an answer may still come. */
export function fateOf({ outcomes }: OpenWait): 'open' | 'arrived' | 'failed' {
  if (outcomes.some(hasArrived)) return 'arrived';
  return outcomes.every((outcome) => outcome === 'failed') ? 'failed' : 'open';
}

/** The longest that the gateway keeps trying to deliver (gateway-api.md, "Limits": `sms_lifetime`), in milliseconds. */
const LONGEST_DELIVERY_MS = 259_200_000;

/** What the poller does next: once a message has arrived, the question waits for a person. */
const TODO = { open: 'ask', arrived: 'forget', failed: 'wake' } as const;

/**
 * Has the messages of a question watched, in the process that asked, until one has arrived; where all failed for good, the execution is
 * called at its address, which n8n signed.
 */
export async function watchMessages(
  context: IExecuteFunctions,
  note: AskedQuestion,
  address: string,
): Promise<void> {
  const messages = messagesOf(note);
  const limitAt = Math.min(note.limitAt, Date.now() + LONGEST_DELIVERY_MS);
  await startWatching(context, {
    ...{ key: note.key, messages, limitAt, call: { address } },
    // At the limit, n8n itself goes on.
    todo: (now) => (now >= limitAt ? 'forget' : TODO[fateOf(messages)]),
  });
}

/** Returns the messages of the output, each with the state that the gateway reported, and its reason. */
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
