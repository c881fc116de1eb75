/** What a seed decides before anything happens: the workflow, the executions of it, and the nature of the gateway. */

/**
 * - `calm`: nothing fails but bad messages, duplicates, and requests that are too large.
 * - `gentle`: now and then one request to send goes wrong; `status` works. Everything has to be sent in the end.
 * - `rough`, `storm`: much goes wrong, `status` too, and there are outages.
 */
export type Profile = 'calm' | 'gentle' | 'rough' | 'storm';

export const isPeaceful = (profile: Profile): boolean => profile === 'calm' || profile === 'gentle';

/** A time during which requests fail in one way, in milliseconds since the start. */
export interface Span<Kind> {
  from: number;
  to: number;
  kind: Kind;
  /** What the gateway says in it, where it says something. */
  words: string;
}

/** How requests to send go wrong (`conduct.mts`). */
export type SendFault =
  | 'words'
  | 'rows'
  | 'broken'
  | 'late'
  | 'before'
  | 'repeated'
  | 'acknowledged'
  | 'damaged'
  | 'slow'
  | 'wordless';

/** How questions to `status` go wrong (`status-desk.mts`). */
export type StatusFault =
  | 'alike'
  | 'limited'
  | 'refused'
  | 'broken'
  | 'late'
  | 'vague'
  | 'damaged'
  | 'reordered'
  | 'unreached';

/** How `status` answers for an id that was never sent. */
export interface Absence {
  /** A refused row, an accepted one, or a refusal of the whole request. */
  form: 'row' | 'success' | 'whole';
  words: string;
  /** Whether a reader has to take the words for a fault of the gateway. */
  isDubious: boolean;
  /** What stands for the gateway's own number in an accepted one: nothing, no number, or another one each time. */
  messageId?: '0' | 0 | null | 'random';
}

/** How much the gateway answers in one request to `status`, and how it says that it was more. */
export interface StatusLimit {
  ids: number;
  /** `short`: it answers the first of them only; `rows`: it refuses the others one by one; else the request, with this code. */
  way: 'short' | 'rows' | 200 | 400 | 413 | 429;
  words: string;
}

/** A limiter in front of the gateway that refuses every message with HTTP 429, in milliseconds since the start. */
export interface Limiter {
  from: number;
  to: number;
  /** Milliseconds that it names, if any. */
  asksFor?: number;
  /** In an answer like those of the gateway; undefined: in a web page. */
  words?: string;
  /** Whether it refuses questions too. */
  isForAll: boolean;
}

/** How many requests to `status` the gateway answers in a time, and how it says that they were more. */
export interface StatusPace {
  requests: number;
  /** Milliseconds. */
  within: number;
  /** The HTTP code, and whether it says when to come again. */
  code: 200 | 429 | 503;
  hasRetryAfter: boolean;
  words: string;
}

export interface StatusTraits {
  absence: Absence;
  limit?: StatusLimit;
  pace?: StatusPace;
  /** Operations whose messages it doesn't know. */
  lacks: string[];
  faultRate: number;
  spans: Array<Span<StatusFault>>;
  /** Milliseconds before it forgets a message. */
  memory: number;
  /** How long after the take it only says of a message that it can't say yet, and in which words. */
  pending: { for: number; words: string };
}

/** What the gateway writes down of messages that it refuses, which `status` then tells. */
export interface RefusalLog {
  /** Share of the refusals that it writes down. */
  rate: number;
  /** The contract lists REJECTED; others have words or numbers of their own. */
  state: string | number;
  /** Whether a message that was refused is a duplicate when it comes again. */
  isDuplicate: boolean;
}

/** The account has money for so many messages, and gets more later. */
export interface Funds {
  messages: number;
  /** Milliseconds since the start. */
  filledAt: number;
  words: string;
}

/**
 * Something behind the gateway is down, in milliseconds since the start: it takes messages and calls them a fault, in words
 * that anybody reads as one, and its `status` fails just so.
 */
export interface Outage {
  from: number;
  to: number;
  words: string;
  /** Share of the rows that are called a fault. */
  share: number;
  status: StatusFault;
}

/** A field of each result that says something of the answer and nothing of the message. */
export type Noise = 'index' | 'trace' | 'took' | 'server' | 'clock';

export interface GatewayTraits {
  log: RefusalLog;
  funds?: Funds;
  /** HTTP codes of its answers, which say nothing, and the share of answers that have one. */
  codes: { list: number[]; rate: number };
  noise: Noise[];
  outage?: Outage;
  limiter?: Limiter;
  /** Numbers that end with these digits are refused by something in front of the gateway, without words. */
  filter?: { digits: string; code: number };
  /** Whether `status` has words of its own for what was taken, too. */
  ownStates: boolean;
  /** Whether the queue tells at once which operations it refuses. */
  queueTells: boolean;
  /** Milliseconds since the start at which the gateway starts anew and has forgotten everything. */
  restartsAt?: number;
  /** What becomes of an id that was taken before. */
  duplicates: 'taken' | 'refused' | 'refuseWhole';
  duplicateWords: string;
  /** How answers are written. */
  style: 'plain' | 'nulls' | 'stringIds' | 'integers' | 'php';
  /** Operations in one request that are too many, if there is a limit. */
  mostOperations?: number;
  tooLarge: 'http' | 'words';
  tooLargeWords: string;
  /** Whether one bad operation makes the gateway refuse the whole request, and with which HTTP status. */
  refusesWhole?: number;
  badWords: string;
  /** Whether the synchronous endpoint only acknowledges. */
  acknowledges: boolean;
  /** Milliseconds of work on a request, and on each operation. */
  work: [base: number, perOperation: number];
  /** Share of requests to send that go wrong, and how often a break is followed by a take. */
  faultRate: number;
  takeAfterBreakRate: number;
  /** Requests to send after a fault that don't fail. */
  faultFreeAfter: number;
  spans: Array<Span<SendFault>>;
  status: StatusTraits;
  /** Whether somebody on the way repeats each request. */
  repeats: boolean;
}

/** Milliseconds after a break in which a gateway may still take messages. */
export const SETTLING = 30_000;

/** `send` sends a code; `sendAndWait` asks one person, and sleeps until the answer. */
export type Operation = 'sendSms' | 'sendViberSms' | 'sendPipeline' | 'call' | 'send' | 'sendAndWait';

export interface ItemPlan {
  /** Text of the message, which occurs in no other message. */
  text: string;
  /** Occurs in no other message of an execution, but in those that repeat its key. */
  phone: string;
  signature: string;
  messageId?: number;
  /** Its Send Once Key. An item with the key and the number of one before it is the same but for its text. */
  key?: string;
  delivery: 'now' | 'queued';
}

export interface NodePlan {
  name: string;
  id: string;
  operation: Operation;
  /** Whether it sleeps until the outcomes of its messages are known. */
  waits: boolean;
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  retryOnFail: boolean;
  maxTries: number;
  waitBetweenTries: number;
  options: { batchSize?: number; timeout: number } & Record<string, unknown>;
  /** Whether its codes go out by Telegram, of which the contract doesn't say that `status` knows them. */
  isTelegram?: true;
}

/** Whether nothing proves what became of a message of a node. */
export const isUnprovable = ({ operation, isTelegram }: NodePlan): boolean =>
  operation === 'call' || operation === 'sendPipeline' || isTelegram === true;

export interface NodeRunPlan {
  node: NodePlan;
  runIndex: number;
  items: ItemPlan[];
}

export interface ExecutionPlan {
  id: string;
  runs: NodeRunPlan[];
  /** Milliseconds between this execution and the one before. */
  delay: number;
  /** Milliseconds after the start at which a user stops it, or n8n dies. */
  cancelAfter?: number;
  crashAfter?: number;
  /**
   * What it is: an execution of its own; a person's Retry of the one before, which goes on with what n8n saved when
   * that failed; that once more, of the same execution; or a Retry after a stop or a crash, when n8n saved nothing of
   * the node.
   */
  kind: 'first' | 'retry' | 'retryAgain' | 'retryFromNothing';
}

/** The clock of the machine on which n8n runs is set. */
export interface ClockStep {
  at: number;
  by: number;
}

export interface Scenario {
  seed: number;
  profile: Profile;
  startsAt: number;
  gateway: GatewayTraits;
  executions: ExecutionPlan[];
  clockSteps: ClockStep[];
}

/** A sender that the gateway refuses, and text that no journal may hold. */
export const BAD_SENDER = 'NotMine';
export const MARKER = 'text of message';
export const NOT_A_PHONE = 'nobody';

export const isInvalid = ({ phone }: ItemPlan): boolean => phone === NOT_A_PHONE;
export const isBad = ({ signature }: ItemPlan): boolean => signature === BAD_SENDER;
