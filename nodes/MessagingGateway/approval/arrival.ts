import type { IDataObject } from 'n8n-workflow';

import { askStatuses } from '../../gateway/client/status';
import type { Transport } from '../../gateway/client/transport';
import type { Meaning, Report } from '../../gateway/delivery/reports';
import { meaningOf, reportOfStatus, withReport } from '../../gateway/delivery/reports';
import { hasArrived, replaces } from '../../gateway/delivery/outcomes';
import type { SelfAnswer } from '../suspend/self-call';
import type { ApprovalNote } from './output';

/** Knowledge of one process about the messages of one question, from callbacks that came to the process and answers of `status`. */
export class AskedMessages {
  private readonly note: Pick<ApprovalNote, 'recipients' | 'type'>;
  private readonly known = new Map<string, { report: Report; meaning: Meaning }>();

  constructor(note: Pick<ApprovalNote, 'recipients' | 'type'>) {
    this.note = note;
  }

  /** The fate of the question by the reports so far: one message arrived, all failed for good, or neither, and an answer may still come. */
  get fate(): 'open' | 'arrived' | 'failed' {
    const outcomes = this.note.recipients.map(({ id }) => this.known.get(String(id))?.meaning.outcome);
    if (outcomes.some((outcome) => outcome !== undefined && hasArrived(outcome))) return 'arrived';
    return outcomes.every((outcome) => outcome === 'failed') ? 'failed' : 'open';
  }

  /** Takes the report on a message of the question, unless a later outcome is known. Returns whether the message failed for good. */
  learn(id: unknown, report: Report): boolean {
    const name = String(id);
    const recipient = this.note.recipients.find((one) => String(one.id) === name);
    const meaning = meaningOf({ msg_id: recipient?.msg_id, ...report }, this.note.type);
    const before = this.known.get(name)?.meaning.outcome ?? 'unknown';
    if (replaces(before, meaning.outcome)) this.known.set(name, { report, meaning });
    return meaning.outcome === 'failed';
  }

  /** Asks `status` once about all messages (gateway-api.md, "Asking for a status"). Does not throw. */
  async ask(transport: Transport): Promise<void> {
    const ids = this.note.recipients.map(({ id }) => id);
    const answers = await askStatuses(transport, ids);
    answers.forEach((answer, i) => {
      if (answer.kind === 'known') this.learn(ids[i], reportOfStatus(answer.payload));
    });
  }

  /** Returns the messages of the output, each with the state that the gateway reported, and its reason. */
  withReports(messages: IDataObject[]): IDataObject[] {
    return messages.map((message) => {
      const known = this.known.get(String(message.id));
      return known === undefined ? message : withReport(message, reasonIn(known.report));
    });
  }
}

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

/** Milliseconds that one request may take. */
export const LONGEST_REQUEST_MS = 15_000;

/** Milliseconds between two questions about the messages: at first, and at most. */
const FIRST_MS = 1000;
const LONGEST_MS = 600_000;

/** Tries to wake the execution at most, milliseconds between two of them at most, and in which n8n saves an execution that falls asleep. */
const MOST_WAKES = 30;
const LONGEST_WAKE_MS = 10_000;
const SAVING_MS = 60_000;

/** The longest that the gateway keeps trying to deliver (gateway-api.md, "Limits": `sms_lifetime`), in milliseconds. */
const LONGEST_DELIVERY_MS = 259_200_000;

/** The questions that this process watches, by the keys of their sleeps. */
const watches = new Map<string, AskedMessages>();

/** Returns what this process knows of the messages of a question. */
export const messagesOf = (note: ApprovalNote): AskedMessages =>
  watches.get(note.key) ?? new AskedMessages(note);

/** Ends the watch of a question whose execution goes on. */
export const endWatch = (key: string): boolean => watches.delete(key);

/** How to ask the gateway; how to learn from n8n's database whether the execution sleeps on; how to call the execution, which finds out by itself whether all messages failed; and where to say that the call leads nowhere. */
interface Ways {
  transport: Transport;
  sleepsOn(): Promise<boolean>;
  callSelf(): Promise<SelfAnswer>;
  warn(text: string): void;
}

/**
 * Watches the messages of a question from now on, in the process that asked: asks about them at growing intervals until one has
 * arrived, and has the execution called once all failed for good. Uses the context of its run after the end of the run.
 */
export function watchMessages(note: ApprovalNote, ways: Ways): void {
  const messages = new AskedMessages(note);
  watches.set(note.key, messages);
  const until = Math.min(note.limitAt, Date.now() + LONGEST_DELIVERY_MS);
  const isOver = () => !watches.has(note.key) || messages.fate === 'arrived' || Date.now() >= until;
  void untilDecided(messages, isOver, ways).finally(() => endWatch(note.key));
}

/** Rests, without keeping a process from its end that has nothing else to do. */
const rest = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });

/** Does not throw. */
async function untilDecided(
  messages: AskedMessages,
  isOver: () => boolean,
  { transport, sleepsOn, callSelf, warn }: Ways,
): Promise<void> {
  const savedAt = Date.now() + SAVING_MS;
  let pauseMs = FIRST_MS;
  let wakes = 0;
  while (!isOver()) {
    await rest(pauseMs);
    // An execution that was stopped or deleted is asked about for ten minutes more.
    if (isOver() || (pauseMs === LONGEST_MS && !(await sleepsOn()))) return;
    if (messages.fate === 'open') await messages.ask(transport);
    if (messages.fate === 'failed') {
      const answer = await callSelf();
      if (answer.is === 'over' || (answer.is === 'awake' && Date.now() >= savedAt)) return;
      wakes += 1;
      if (wakes === 1 && answer.is === 'unreachable') warn(answer.reason);
      if (wakes === MOST_WAKES) return;
    }
    pauseMs = Math.min(2 * pauseMs, messages.fate === 'failed' ? LONGEST_WAKE_MS : LONGEST_MS);
  }
}
