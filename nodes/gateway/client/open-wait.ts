import { askStatuses, MAX_IDS } from './status';
import type { Transport } from './transport';
import { typedIdentifier } from '../contract/envelope';
import type { Outcome } from '../delivery/outcomes';
import { isFinal, replaces } from '../delivery/outcomes';
import type { Report } from '../delivery/reports';
import { meaningOf, reportOfStatus, withReport } from '../delivery/reports';

/** The identifiers by which a callback names a message, the deciding one first. */
const NAMES = ['id', 'msg_id', 'request_id'] as const;
type Named = Partial<Record<(typeof NAMES)[number], unknown>>;

/** An item in which a message is output. */
interface ShownMessage {
  json: Report;
}

/** A message whose outcome an execution waits for. */
interface WaitingMessage extends Named {
  id: number | string;
  type: unknown;
  outcome: Outcome;
  report?: Report;

  /** How often the gateway was asked about it. */
  asked: number;
}

/** Characters of the reports that one process of n8n gives another: a tenth of what a proxy takes. */
const LONGEST_REPORTS = 100_000;

const OUT_OF_TIME = { kind: 'failure', problem: { kind: 'cancelled' } } as const;

/**
 * Knowledge of one process about the messages of one waiting execution: callbacks that came to the process, and answers of
 * `status`. Callbacks to other processes, or before a restart, are missing: only `status` is complete. Keeps nothing of the items.
 */
export class OpenWait {
  private readonly messages: WaitingMessage[];

  /** Takes the json of the items with which the execution fell asleep; waits for the items without a final outcome. */
  constructor(items: readonly Report[]) {
    const byId = new Map<unknown, WaitingMessage>();
    for (const { id: name, msg_id, request_id, type, final } of items) {
      const id = name as number | string | undefined;
      if (final !== false || id === undefined || byId.has(id)) continue;
      byId.set(id, { id, msg_id, request_id, type, outcome: 'unknown', asked: 0 });
    }
    this.messages = [...byId.values()];
  }

  /** Number of messages without a final outcome. */
  get openCount(): number {
    return this.messages.filter(isOpen).length;
  }

  /** The outcomes of all messages. */
  get outcomes(): Outcome[] {
    return this.messages.map(({ outcome }) => outcome);
  }

  /** Returns the newest report on a message; undefined where there is none. */
  reportOn(id: unknown): Report | undefined {
    return this.messages.find((message) => message.id === id)?.report;
  }

  /** The newest reports on the messages, each with the id of its message; none where they are too long for one call. */
  get reports(): Report[] {
    const known = this.messages.filter(({ report }) => report !== undefined);
    const reports = known.map(({ id, report }) => ({ ...report, id }));
    return JSON.stringify(reports).length > LONGEST_REPORTS ? [] : reports;
  }

  /** Whether one request asks about all open messages: an execution that is called has the time for that. */
  get isSmall(): boolean {
    return this.openCount <= MAX_IDS;
  }

  /** Returns open messages to ask about now, those first that were asked about less often than others, and counts the question. */
  takeNext(max: number): WaitingMessage[] {
    const messages = this.messages
      .filter(isOpen)
      .sort((a, b) => a.asked - b.asked)
      .slice(0, max);
    for (const message of messages) message.asked += 1;
    return messages;
  }

  /** Asks `status` once about all open messages, until a time in milliseconds since 1970. Does not throw. */
  async ask(transport: Transport, until: number): Promise<void> {
    const inTime: Transport = async (...request) =>
      Date.now() < until ? await transport(...request) : OUT_OF_TIME;
    await askTogether(inTime, this.takeNext(this.openCount), MAX_IDS);
  }

  /** Takes the callbacks of one body. Returns whether any of them names a message of this execution. */
  takeAll(events: readonly Report[]): boolean {
    const byName = this.messagesByName();
    let isAnyOurs = false;
    for (const event of events) {
      const message = decidingNamesIn(event)
        .map((name) => byName.get(name))
        .find((one) => one !== undefined);
      if (message === undefined) continue;
      learn(message, event);
      isAnyOurs = true;
    }
    return isAnyOurs;
  }

  /** Returns the messages by their names. A name of several messages, such as the request of a batch, leads to none of them. */
  private messagesByName(): Map<string, WaitingMessage | undefined> {
    const byName = new Map<string, WaitingMessage | undefined>();
    for (const message of this.messages)
      for (const name of namesIn(message)) byName.set(name, byName.has(name) ? undefined : message);
    return byName;
  }

  /** Returns the items with which the execution fell asleep, each with the newest report on its message. */
  withReports<Item extends ShownMessage>(items: readonly Item[]): Item[] {
    const byId = new Map<unknown, WaitingMessage>(this.messages.map((message) => [message.id, message]));
    return items.map((item) => {
      const { id, final } = item.json;
      const message = byId.get(id);
      // An item whose own outcome was final keeps it, until a report on its id is final too.
      const keeps = final === undefined || (final === true && message !== undefined && isOpen(message));
      if (message === undefined || keeps) return item;
      const json = { ...item.json };
      // `asLeft` wrote this reason, for an execution that nothing wakes.
      delete json.reason;
      return { ...item, json: message.report === undefined ? json : withReport(json, message.report) };
    });
  }

  /**
   * Returns the items for n8n to pass on where nothing wakes the execution: of a message without a final outcome, nothing is
   * known by then, and `reason` says why.
   */
  asLeft<Item extends ShownMessage>(items: readonly Item[], reason: string): Item[] {
    const open = new Set<unknown>(this.messages.filter(isOpen).map(({ id }) => id));
    return items.map((item) =>
      item.json.final === false && open.has(item.json.id)
        ? { ...item, json: { ...item.json, outcome: 'unknown', reason } }
        : item,
    );
  }
}

/**
 * Asks `status` once about messages of any waits, `maxIds` in a request at most. Returns whether the gateway answered about all of
 * them. Does not throw.
 */
export async function askTogether(
  transport: Transport,
  messages: readonly WaitingMessage[],
  maxIds: number,
): Promise<boolean> {
  const ids = messages.map(({ id }) => id);
  const answers = await askStatuses(transport, ids, maxIds);
  answers.forEach((answer, i) => {
    if (answer.kind === 'known') learn(messages[i], reportOfStatus(answer.payload));
  });
  return answers.every(({ kind }) => kind !== 'unanswered');
}

/** Stores the gateway's report on a message, unless a later outcome is known. */
function learn(message: WaitingMessage, report: Report): void {
  const { outcome } = meaningOf({ msg_id: message.msg_id, ...report }, message.type);
  if (replaces(message.outcome, outcome)) Object.assign(message, { report, outcome });
}

const isOpen = ({ outcome }: WaitingMessage): boolean => !isFinal(outcome);

/** Returns the names in a callback that count: the `id` alone, which this node made, or all others where it is missing. */
function decidingNamesIn({ id, ...others }: Named): string[] {
  const own = namesIn({ id });
  return own.length > 0 ? own : namesIn(others);
}

/** Returns the names of a message in order, each as a text of its own for each field. */
const namesIn = (named: Named): string[] =>
  NAMES.flatMap((field) => {
    const name = named[field] ?? undefined;
    return name === undefined ? [] : `${field} ${String(typedIdentifier(name))}`;
  });
