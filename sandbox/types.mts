/** Shapes that several parts of the sandbox share. Written from gateway-api.md alone. */

import type { Reply } from './config.mts';

export type JsonObject = Record<string, unknown>;

/** A result of the response envelope (gateway-api.md, "Synchronous answers"). */
export interface ItemResult {
  success: boolean;
  error?: string;
  data?: unknown;
}

interface HistoryEntry {
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

/** A try to send a callback. */
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

/** A callback with its fate. */
export interface CallbackRecord {
  /** Counts from 1 and never starts again. */
  seq: number;
  url: string;
  payload: CallbackPayload;
  /** The message that it is about; undefined where none was accepted. */
  msgId?: number;
  /** HTTP status of each try; 0 where no answer came. */
  tries: number[];
  /** The tries at more length. */
  attempts: CallbackAttempt[];
  state: 'scheduled' | 'sending' | 'acknowledged' | 'given-up' | 'not-allowed';
  at: number;
  /** When the next try is due. */
  nextAt?: number;
}

/** The answer of an endpoint to a request. */
export interface Answer {
  /** HTTP status: 200 of both endpoints, whatever they say. */
  code: number;
  body: JsonObject;
}
