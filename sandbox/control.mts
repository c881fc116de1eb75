/**
 * The control API under `/sandbox/`: what tests in the same process do by calling functions, other processes
 * and the phone page do here. Described in sandbox/README.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkAccount, DEFAULT_KEY, makeAccount } from './account.mts';
import type { Account } from './account.mts';
import { act, deliverAll } from './actions.mts';
import type { ApiParts } from './api.mts';
import { isObject } from './checks.mts';
import type { FaultPlan } from './faults.mts';
import { BodyTooLarge, ClientGone, isJsonRequest, parseJson, readBody, sendJson } from './http.mts';
import { InputError } from './input-error.mts';
import type { Live } from './live.mts';
import { countsOf, resetAll } from './state.mts';
import { tryCallback } from './test-callback.mts';
import type { JsonObject } from './types.mts';
import { requestDetails } from './views.mts';

export interface ControlParts extends ApiParts {
  live: Live;
  /** Addresses that `GET /sandbox/state` shows. */
  addresses: () => JsonObject;
}

interface Call {
  parts: ControlParts;
  query: URLSearchParams;
  input: JsonObject;
}

type Handler = (call: Call) => unknown;

const ROUTES: Record<string, Handler> = {
  'GET state': ({ parts }) => ({
    addresses: parts.addresses(),
    counts: countsOf(parts),
    config: parts.gateway.config,
    faults: faultsOf(parts),
  }),
  'GET counts': ({ parts }) => countsOf(parts),
  'GET config': ({ parts }) => parts.gateway.config,
  'POST config': ({ parts, input }) => {
    parts.gateway.configure(input);
    return parts.gateway.config;
  },
  'GET requests': listRequests,
  'GET messages': listMessages,
  'GET acceptances': acceptances,
  'GET callbacks': ({ parts, query }) => parts.gateway.delivery.callbacks.records.slice(-limitOf(query)),
  'POST callbacks': ({ parts, input }) => tryCallback(parts.gateway, input),
  'GET refusals': ({ parts, query }) => parts.gateway.kept.refusals.list.slice(-limitOf(query)),
  'POST deliver': ({ parts, input }) => deliverAll(parts.gateway, input),
  'GET credential': ({ parts }) => ({
    ...parts.addresses(),
    apiKey: [...parts.gateway.accounts.keys()][0] ?? null,
  }),
  'GET faults': ({ parts }) => faultsOf(parts),
  'POST faults': ({ parts, input }) => {
    parts.faults.add(input as unknown as FaultPlan);
    return { active: parts.faults.list() };
  },
  'DELETE faults': ({ parts }) => {
    parts.faults.clear();
    return { active: [] };
  },
  'GET accounts': ({ parts }) => [...parts.gateway.accounts.values()].map(withoutKey),
  'POST accounts': changeAccount,
  'GET templates': ({ parts }) => Object.fromEntries(parts.gateway.kept.books),
  'POST reset': ({ parts }) => {
    resetAll(parts);
    return countsOf(parts);
  },
};

/** Answers one request under `/sandbox/`. Errors come as `{ error }` with a 4xx status. */
export async function handleControl(
  parts: ControlParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = url.pathname.replace(/^\/sandbox\/?/, '');
  if (request.method === 'GET' && path === 'events') {
    parts.live.open(response);
    return;
  }
  try {
    const input = await readInput(request);
    const call = { parts, query: url.searchParams, input };
    sendJson(response, 200, await dispatch(request.method ?? '', path, call));
  } catch (error) {
    if (error instanceof InputError) sendJson(response, error.status, { error: error.message });
    else if (error instanceof BodyTooLarge) {
      sendJson(response, 413, { error: error.message }, { connection: 'close' });
    } else if (!(error instanceof ClientGone)) throw error;
  }
}

async function readInput(request: IncomingMessage): Promise<JsonObject> {
  const raw = await readBody(request, 1024 * 1024);
  if (raw.length === 0) return {};
  if (!isJsonRequest(request)) throw new InputError('Content-Type has to be application/json', 415);
  const input = jsonOf(raw);
  if (!isObject(input)) throw new InputError('The body has to be a JSON object');
  return input;
}

function jsonOf(raw: Buffer): unknown {
  try {
    return parseJson(raw);
  } catch {
    throw new InputError('The body has to be JSON');
  }
}

function dispatch(method: string, path: string, call: Call): unknown {
  const key = `${method} ${path}`;
  if (Object.hasOwn(ROUTES, key)) return ROUTES[key](call);
  const [head, msgId, action, ...rest] = path.split('/');
  if (head === 'messages' && msgId && rest.length === 0) {
    if (method === 'POST' && action) return act(call.parts.gateway, Number(msgId), action, call.input);
    if (method === 'GET' && action === undefined) {
      const message = call.parts.gateway.kept.messages.get(Number(msgId));
      if (message) return message;
      throw new InputError(`No message with msg_id ${msgId}`, 404);
    }
  }
  if (rest.length === 0 && action === undefined && msgId) {
    if (key.startsWith('GET requests/')) return oneRequest(call, Number(msgId));
    if (key.startsWith('DELETE faults/')) return removeFault(call, Number(msgId));
  }
  throw new InputError(`Nothing at ${method} /sandbox/${path}`, 404);
}

/** Active faults, how often each kind struck, and the batches that are still to be taken late. */
function faultsOf({ faults, gateway }: ControlParts): JsonObject {
  return { active: faults.list(), struck: faults.struck, late: gateway.planned.late.list() };
}

function limitOf(query: URLSearchParams): number {
  return Number(query.get('limit') ?? 1000) || 1000;
}

function listMessages({ parts, query }: Call): unknown {
  const { messages } = parts.gateway.kept;
  const phone = query.get('phone');
  const id = query.get('id');
  const type = query.get('type');
  const found = messages
    .list()
    .filter(
      (message) =>
        (phone === null || String(message.phone) === phone) &&
        (id === null || String(message.id) === id) &&
        (type === null || message.type === type),
    );
  return found.slice(-limitOf(query));
}

function listRequests({ parts, query }: Call): unknown {
  const after = Number(query.get('after') ?? 0);
  const endpoint = query.get('endpoint');
  return parts.requests.list
    .filter((record) => record.seq > after && (endpoint === null || record.endpoint === endpoint))
    .slice(-limitOf(query))
    .map(({ raw: _raw, answer: _answer, ...record }) => record);
}

/** One request with its raw body and the answer to it. */
function oneRequest({ parts }: Call, seq: number): unknown {
  const record = parts.requests.get(seq);
  if (!record) throw new InputError(`No request ${seq} is kept`, 404);
  return requestDetails(record);
}

function removeFault({ parts }: Call, number: number): unknown {
  if (!parts.faults.remove(number)) throw new InputError(`No fault ${number} is active`, 404);
  return faultsOf(parts);
}

function acceptances({ parts, query }: Call): unknown {
  const { messages } = parts.gateway.kept;
  const id = query.get('id');
  if (id !== null) return { id: Number(id), times: messages.acceptances(Number(id)) };
  const all = query.get('all') === 'true' ? { times: Object.fromEntries(messages.times()) } : {};
  return { accepted: messages.accepted, distinct: messages.distinct, doubled: messages.doubled(), ...all };
}

function withoutKey({ key: _key, ...account }: Account): Omit<Account, 'key'> {
  return account;
}

/** Changes the account of `key` (default: the first one), or adds it. */
function changeAccount({ parts, input }: Call): unknown {
  checkAccount(input);
  const given = input as Partial<Account>;
  const { accounts } = parts.gateway;
  const key = given.key ?? [...accounts.keys()][0] ?? DEFAULT_KEY;
  const account = { ...(accounts.get(key) ?? makeAccount({ key })), ...given, key };
  accounts.set(key, account);
  parts.gateway.events.emit('settings');
  return withoutKey(account);
}
