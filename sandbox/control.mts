/**
 * The control API under `/sandbox/`: what tests in the same process do by calling functions, other processes
 * and the phone page do here. Described in sandbox/README.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { changeAccount } from './account.mts';
import { act, deliverAll } from './actions.mts';
import type { ApiParts } from './api.mts';
import { isObject } from './checks.mts';
import type { FaultPlan } from './faults.mts';
import { BodyTooLarge, ClientGone, isJsonRequest, parseJson, readBody, sendJson } from './http.mts';
import { InputError } from './input.mts';
import type { Live } from './live.mts';
import type { JsonObject } from './types.mts';
import { requestDetails } from './views.mts';

export interface ControlParts extends ApiParts {
  live: Live;
  /** Addresses that `GET /sandbox/credential` shows. */
  addresses: () => JsonObject;
}

interface Call {
  parts: ControlParts;
  query: URLSearchParams;
  input: JsonObject;
}

const ROUTES: Record<string, (call: Call) => unknown> = {
  'GET counts': ({ parts }) => countsOf(parts),
  'GET config': ({ parts }) => parts.gateway.config,
  'POST config': ({ parts, input }) => {
    parts.gateway.configure(input);
    return parts.gateway.config;
  },
  'GET messages': listMessages,
  'GET requests': ({ parts, query }) =>
    latest(parts.requests.list, query).map(({ raw: _raw, answer: _answer, ...record }) => record),
  'GET callbacks': ({ parts, query }) => latest(parts.gateway.delivery.callbacks.records, query),
  'POST deliver': ({ parts }) => deliverAll(parts.gateway),
  'GET credential': ({ parts }) => ({
    ...parts.addresses(),
    apiKey: [...parts.gateway.accounts.keys()][0] ?? null,
  }),
  'GET faults': ({ parts }) => ({ active: parts.faults.list() }),
  'POST faults': ({ parts, input }) => {
    parts.faults.add(input as FaultPlan);
    return { active: parts.faults.list() };
  },
  'DELETE faults': ({ parts }) => {
    parts.faults.clear();
    return { active: [] };
  },
  'POST accounts': ({ parts, input }) => {
    const { key: _key, ...account } = changeAccount(parts.gateway.accounts, input);
    parts.gateway.events.emit('settings');
    return account;
  },
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
    sendJson(response, 200, dispatch(request.method ?? '', path, call));
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
  // A page of another web site can send other types without asking first.
  if (!isJsonRequest(request)) throw new InputError('Content-Type has to be application/json', 415);
  let input: unknown;
  try {
    input = parseJson(raw);
  } catch {
    throw new InputError('The body has to be JSON');
  }
  if (!isObject(input)) throw new InputError('The body has to be a JSON object');
  return input;
}

function dispatch(method: string, path: string, call: Call): unknown {
  const key = `${method} ${path}`;
  if (Object.hasOwn(ROUTES, key)) return ROUTES[key](call);
  const { gateway, requests } = call.parts;
  const [, msgId, action] = /^POST messages\/(\d+)\/(\w+)$/.exec(key) ?? [];
  if (action !== undefined) return act(gateway, Number(msgId), action, call.input);
  const [, seq] = /^GET requests\/(\d+)$/.exec(key) ?? [];
  const record = requests.get(Number(seq));
  if (record) return requestDetails(record);
  throw new InputError(`Nothing at ${method} /sandbox/${path}`, 404);
}

/** The latest of a list: as many as `limit` says, or a thousand. */
function latest<T>(list: readonly T[], query: URLSearchParams): T[] {
  return list.slice(-(Number(query.get('limit') ?? 1000) || 1000));
}

function listMessages({ parts, query }: Call): unknown {
  const isWanted = (name: string, value: unknown) => [null, String(value)].includes(query.get(name));
  const found = parts.gateway.kept.messages
    .list()
    .filter(
      ({ phone, id, type }) => isWanted('phone', phone) && isWanted('id', id) && isWanted('type', type),
    );
  return latest(found, query);
}

/** Figures since the start. */
export interface SandboxCounts {
  /** Requests received on all endpoints but the control API and the phone page. */
  requests: number;
  /** Messages accepted, doubled ones included. */
  accepted: number;
  /** Different client identifiers among them. */
  distinctIds: number;
  /** Client identifiers accepted more than once. */
  doubledIds: number;
  /** Callbacks that are neither acknowledged nor given up. */
  callbacksPending: number;
}

/** Figures of what happened so far. */
export function countsOf({ gateway, requests }: ApiParts): SandboxCounts {
  const { messages } = gateway.kept;
  return {
    requests: requests.total,
    accepted: messages.accepted,
    distinctIds: messages.distinct,
    doubledIds: messages.doubled().length,
    callbacksPending: gateway.delivery.callbacks.pending,
  };
}

/** Forgets requests, messages, templates, callbacks and faults; settings and accounts stay. */
export function resetAll({ gateway, requests, faults }: ApiParts): void {
  gateway.reset();
  requests.clear();
  faults.clear();
  gateway.events.emit('reset');
}
