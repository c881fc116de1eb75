/** What passes between the node and the model of the gateway, and what is recorded of that. */
export interface Operation {
  type: string;
  id: number | string;
  phone?: number;
  sms_signature?: string;
  sms?: { signature?: string };
}

/** Which try of which run of which node a request belongs to. */
export interface Origin {
  /** Which executions: one and all that go on with its data. */
  lineage: number;
  execution: number;
  /** Counts the runs of nodes in this execution, from 0. */
  run: number;
  /** From 0. */
  attempt: number;
  /** Whether it knows nothing of a Retry of the same execution before. */
  isBlind: boolean;
}

/** What the gateway took, which is paid for. */
export interface Take {
  id: string;
  type: string;
  phone: string;
  request: RequestRecord;
  at: number;
  /** From when on `status` knows it. */
  knownAt: number;
  /** How it wasn't delivered; undefined where it was. */
  failure?: string;
}

/**
 * How an exchange ended.
 *
 * - `answered`: the gateway answered by itself.
 * - `before`: it ended before any work.
 * - `broken`: it broke, or something on the way answered.
 * - `late`: a time limit was over, the client's or that of something on the way.
 * - `stopped`: the execution was stopped.
 */
export type Ending = 'answered' | 'before' | 'broken' | 'late' | 'stopped';

/**
 * What an answer of `status` says about one id.
 *
 * - `known`: it was taken, in a state that gateways have in common.
 * - `unlisted`: it was taken, in words that nobody knows.
 * - `failed`: it was taken, and didn't arrive.
 * - `rejected`: it was refused, in the word of the contract.
 * - `logged`: it was refused, in other words.
 * - `absent`: it isn't there.
 * - `useless`: nothing.
 */
export type Told = 'known' | 'unlisted' | 'failed' | 'rejected' | 'logged' | 'absent' | 'useless';

export interface RequestRecord {
  number: number;
  origin: Origin;
  kind: 'send' | 'status';
  endpoint: 'sync' | 'async';
  operations: Operation[];
  leftAt: number;
  /** When the client had its answer, or gave up. */
  endedAt?: number;
  ending?: Ending;
  /** What the answer said of each operation, where it did; of a send `true` for "taken". */
  results?: boolean[];
  told?: Told[];
  /** Of how many it said something, the first ones, where they were too many. */
  answered?: number;
  /** What stood beside that, of fields that have few values. */
  few?: unknown[][];
  /** The HTTP code of the answer. */
  statusCode?: number;
  /** Milliseconds for which `status` wants to be left alone. */
  retryAfter?: number;
  /** Whether it names the time of day until which it wants to be left alone. */
  hasRetryDate?: boolean;
  /** How long that is in milliseconds, however it is said. */
  asksFor?: number;
  /** Why it was refused as a whole, and what was said of each row. */
  words?: string;
  texts?: Array<string | undefined>;
  /** What went wrong, in words. */
  fault: string;
}

export interface FullResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string | AsyncIterable<string>;
}

/** The result of one operation as the contract shows it. */
export interface ResultItem {
  success: boolean;
  error?: string;
  data?: Record<string, unknown> | null;
}

/** What the gateway made of a request, once it worked on it. */
export interface Work {
  items: ResultItem[];
  /** Why it refused the request as a whole, and its HTTP status. */
  refusal?: { words: string; status: number };
}

/** An error as axios throws it. */
export function networkError(code: string, message: string, syscall?: string): Error {
  const error: Error = Object.assign(new Error(message), { code, ...(syscall !== undefined && { syscall }) });
  return error;
}
