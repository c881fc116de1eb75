/** One bounded request to a gateway that is being checked, and what came back. */
import { isObject } from '../checks.mts';
import { isLoopbackHost } from '../loopback.mts';
import type { JsonObject } from '../types.mts';
import { quoted } from './words.mts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** An answer that is a JSON object. */
export interface Reply {
  httpStatus: number;
  body: JsonObject;
}

/** Either the answer, or a sentence that says why there is none that could be read. */
export type Asked =
  | { reply: Reply; problem?: undefined; isSilent?: undefined }
  | {
      reply?: undefined;
      problem: string;
      /** Whether nobody answered at all, which says nothing about the contract. */
      isSilent: boolean;
    };

export interface Question {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: JsonObject;
  /** The key in it, which an answer may repeat: three stars take its place. */
  secret?: string;
}

/** What became of a request that got no answer, by the code of the error. */
const NO_ANSWER: Record<string, string> = {
  ENOTFOUND: 'there is no such host; check the spelling of the address',
  EAI_AGAIN: 'its name could not be looked up; check the network',
  ECONNREFUSED: 'nothing listens there; check the address and its port',
  ECONNRESET: 'it closed the connection without an answer',
  UND_ERR_SOCKET: 'it closed the connection without an answer',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself, so it could be anybody',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate belongs to another host',
};

/**
 * Asks once: at most 15 seconds, at most 1 MiB of an answer. Redirects are not followed, since the key is in the body.
 * @param timeoutMs for tests
 */
export async function ask(question: Question, timeoutMs = TIMEOUT_MS): Promise<Asked> {
  const { host } = new URL(question.url);
  try {
    const response = await fetch(question.url, {
      method: question.method,
      headers: { accept: 'application/json', ...question.headers },
      ...(question.body && { body: JSON.stringify(question.body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const to = response.headers.get('location') ?? '';
      return unreadable(`${host} redirects to ${quoted(to)}; give the address that it redirects to`);
    }
    const text = await textOf(response);
    if (text === undefined) return unreadable(`${host} answers with more than ${MAX_ANSWER_BYTES} bytes`);
    const mask = (value: string) => (question.secret ? value.replaceAll(question.secret, '***') : value);
    const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    return read(question.url, { httpStatus: response.status, text: isStream ? lastEvent(text) : text, mask });
  } catch (error) {
    return { isSilent: true, problem: `${host} gives no answer: ${reasonOf(error, timeoutMs)}` };
  }
}

/** The whole answer as text; undefined where it is too long. */
async function textOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The data of the last event of a stream, which holds the result of a call; what comes before tells of its progress. */
function lastEvent(text: string): string {
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length))
      .join('\n'),
  );
  return events.findLast((data) => data !== '') ?? '';
}

const unreadable = (problem: string): Asked => ({ isSilent: false, problem });

interface Raw {
  httpStatus: number;
  text: string;
  mask: (text: string) => string;
}

/** Reads an answer as a JSON object, with the key masked wherever it stands. */
function read(url: string, { httpStatus, text, mask }: Raw): Asked {
  const { host } = new URL(url);
  const withStatus = httpStatus === 200 ? '' : ` (HTTP status ${httpStatus})`;
  const isNot = (what: string) =>
    unreadable(`${host} answers with ${what}${withStatus}, where ${url} should give JSON`);
  if (text.trim() === '') return isNot('nothing');
  try {
    // Masked value by value, since JSON has many ways to write a text.
    const body: unknown = JSON.parse(text.replace(/^\uFEFF/, ''), (_name, value: unknown) =>
      typeof value === 'string' ? mask(value) : value,
    );
    return isObject(body)
      ? { reply: { httpStatus, body } }
      : isNot(`JSON that is no object, ${quoted(mask(text))}`);
  } catch {
    // Whatever isn't JSON is described to the person who asked.
    return isNot(kindOf(mask(text)));
  }
}

function kindOf(text: string): string {
  if (!/^\s*(<!doctype html|<html|<head|<body)/i.test(text)) return `text that is not JSON, ${quoted(text)}`;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1].trim();
  return title ? `a web page, ${quoted(title)}` : 'a web page';
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `${timeoutMs / 1000} seconds were not enough`;
  const { code = '', message = '' } = cause ?? {};
  return (
    NO_ANSWER[code] ?? ([code, quoted(message)].filter(Boolean).join(' ') || 'the request did not get there')
  );
}

/** Why the key would be readable on its way to an address, where it would. */
export function exposureOf(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return undefined;
  return 'the address begins with http://, so anybody on the way can read the key';
}
