/** Shapes that several parts of the sandbox share. Written from gateway-api.md alone. */

export type JsonObject = Record<string, unknown>;

/** One result of the response envelope (gateway-api.md, "Synchronous answers"). */
export interface ItemResult {
  success: boolean;
  error?: string;
  data?: unknown;
}

/** One reply of the recipient as the callback carries it (gateway-api.md, "Callback fields"). */
export interface Reply {
  datetime: string;
  message: string;
  media?: { url: string; filename: string; filesize: number };
}

/** One thing that happens to a message after it was accepted. */
export interface OutcomeStep {
  /** Status from then on, for example `DELIVERED`. */
  status: string;
  /** Milliseconds after acceptance; a pair is a range to draw from. Default: the plan's `afterMs`. */
  afterMs?: number | [number, number];
  /** Channel that reports it (`sms`, `viber` ...); default: the channel the message is on. */
  type?: string;
  error?: string;
  /** Digit pressed (DTMF). */
  reply?: string;
  /** Call duration in seconds. */
  duration?: number;
  replies?: Reply[];
  /** Changes the stored status, but sends no callback. */
  silent?: boolean;
}

/** What happens to a message: its steps in time, and how often each callback is repeated. */
export interface Outcome {
  /** Empty: nothing happens by itself, a person (or the control API) decides. */
  steps: OutcomeStep[];
  /** How many times more the same callback is sent. */
  duplicates?: number;
  /** The status changes, but no callback is ever sent. */
  mute?: boolean;
}

/** Which messages an outcome is for; every given property has to match. */
export interface OutcomeRule {
  phone?: number;
  phoneSuffix?: string;
  type?: string;
  id?: number;
  outcome: Outcome;
}

export interface HistoryEntry {
  status: string;
  type?: string;
  at: string;
  error?: string;
}

/** Where an operation came from. */
export interface Origin {
  /** Set on the asynchronous endpoint. */
  requestId?: string;
  /** `seq` of its request, and its position in `data`; undefined for operations of the connector. */
  request?: number;
  index?: number;
}

/** A message that the sandbox accepted. */
export interface SandboxMessage {
  msgId: number;
  /** The client's identifier; always a number in a send. */
  id: number;
  account: string;
  phone: number;
  /** Operation type on the wire, for example `viber+sms`. */
  type: string;
  /** Channels in trial order. */
  channels: string[];
  /** Channel that the last status belongs to. */
  channel: string;
  /** The operation object as it came. */
  operation: JsonObject;
  /** Properties that the contract does not declare for this type (accepted, but worth asserting on). */
  undeclared: string[];
  /** Declared for the type, but without meaning for the chosen `viber_type` or `pipeline`. */
  unused: string[];
  /** Set when it came over the asynchronous endpoint. */
  requestId?: string;
  /** `seq` of the request that it came with, and its position in `data`; undefined for the connector. */
  request?: number;
  index?: number;
  /** Where status callbacks go. */
  hook?: string;
  parts: number;
  price: number;
  status: string;
  updated: string;
  error?: string;
  reply?: string;
  duration?: number;
  replies: Reply[];
  history: HistoryEntry[];
  /** One-time code of a `call/otp`. */
  code?: string;
  acceptedAt: number;
}

/** The status callback (gateway-api.md, "Callback fields"). */
export interface CallbackPayload {
  success: boolean;
  id?: string | number;
  msg_id?: string | number;
  type?: string;
  status?: string;
  error?: string;
  updated?: string;
  reply?: string;
  duration?: number;
  request_id?: string;
  replies?: Reply[];
}

/** One try of a callback. */
export interface CallbackAttempt {
  at: number;
  /** Milliseconds until the answer was there. */
  ms: number;
  /** HTTP status; 0 where no answer came. */
  status: number;
  /** The beginning of the answer. */
  answer: string;
  /** Why no answer came, for example `ECONNREFUSED`. */
  problem?: string;
}

/** What became of one callback. */
export interface CallbackRecord {
  /** Counts from 1 and never starts again. */
  seq: number;
  url: string;
  payload: CallbackPayload;
  /** The message that it is about; undefined where none was accepted. */
  msgId?: number;
  /** Sent by a person to try an address: not about any message, and tried once. */
  test?: boolean;
  /** HTTP status of each try; 0 where no answer came. */
  tries: number[];
  /** The tries at more length. */
  attempts: CallbackAttempt[];
  state: 'scheduled' | 'sending' | 'acknowledged' | 'given-up' | 'not-allowed';
  at: number;
  /** When the next try is due. */
  nextAt?: number;
}

/** What an endpoint answers to a request. */
export interface Answer {
  /** HTTP status: 200 of both endpoints, whatever they say. */
  code: number;
  body: JsonObject;
}
