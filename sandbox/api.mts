/** The two API endpoints (gateway-api.md, "Addresses"): `POST /api/json.php` and `POST /v1/json`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { admit } from './account.mts';
import type { Account } from './account.mts';
import { isObject } from './checks.mts';
import { ERRORS } from './error-texts.mts';
import { answerWithFault } from './faults.mts';
import type { Faults } from './faults.mts';
import type { Gateway } from './gateway.mts';
import { answerJson, bodyWithin, isJsonRequest, parseJson, pause } from './http.mts';
import { extraNames } from './operations/extras.mts';
import type { RecordedRequest, Requests } from './requests.mts';
import type { Answer, ItemResult, Origin } from './types.mts';

/** The parts of the sandbox that the endpoints use. */
export interface ApiParts {
  gateway: Gateway;
  requests: Requests;
  faults: Faults;
}

interface Envelope {
  auth: unknown;
  data: unknown;
  names: string[];
}

/** Most bytes in one request. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Most operations in one request, since results of more don't fit into memory. */
const MAX_ITEMS = 1_000_000;

/** Answers one request to either endpoint. */
export async function handleApi(
  parts: ApiParts,
  endpoint: 'sync' | 'async',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { gateway, faults, requests } = parts;
  const raw = await bodyWithin(request, MAX_BYTES, () => {
    const record = requests.add(request, endpoint, Buffer.alloc(0));
    response.setHeader('connection', 'close');
    answerJson(response, record, 200, refuse('Request is too large').body);
  });
  if (raw === undefined) return;
  const envelope = readEnvelope(raw);
  const record = requests.add(request, endpoint, raw, envelope?.auth);
  const items = Array.isArray(envelope?.data) ? (envelope.data as unknown[]) : [];
  record.items = items.length;
  const fault = faults.choose({ endpoint, items: items.length, body: envelope?.data });
  // Read now: the connection may be gone when the batch is taken.
  const ip = request.socket.remoteAddress ?? '';
  const take = (): Answer => {
    const problem = envelopeProblem(request, envelope);
    if (problem) return problem;
    const account = admit(gateway.accounts, envelope?.auth, ip);
    if (!account) return refuse(ERRORS.accessDenied);
    if (items.length === 0) return refuse('data has to be an array of at least one operation');
    if (items.length > MAX_ITEMS) return refuse(`Too many operations in one request: at most ${MAX_ITEMS}`);
    noteExtras(record, envelope?.names ?? [], items);
    if (endpoint === 'async') return enqueue(gateway, account, items, record);
    const data = items.map((item, index) => runItem(gateway, account, item, { request: record.seq, index }));
    return { code: 200, body: { success: true, data } };
  };
  if (fault) return await answerWithFault(fault, { response, record, take, schedule: gateway.schedule });
  const answer = take();
  await pause(gateway.config.latencyMs);
  answerJson(response, record, 200, answer.body);
}

/** All refusals of the endpoints have HTTP 200. */
function refuse(error: string): Answer {
  return { code: 200, body: { success: false, error } };
}

function readEnvelope(raw: Buffer): Envelope | undefined {
  try {
    const body = parseJson(raw);
    if (!isObject(body)) return undefined;
    return { auth: body.auth, data: body.data, names: Object.keys(body) };
  } catch {
    // Told apart from a good envelope by being undefined; the client gets "Invalid JSON".
    return undefined;
  }
}

function envelopeProblem(request: IncomingMessage, envelope: Envelope | undefined): Answer | undefined {
  if (request.method !== 'POST') return refuse('Only POST is supported');
  if (!isJsonRequest(request)) return refuse('Content-Type has to be application/json');
  if (!envelope) return refuse('Invalid JSON');
  return undefined;
}

function noteExtras(record: RecordedRequest, names: string[], items: unknown[]): void {
  for (const name of names) if (name !== 'auth' && name !== 'data') record.undeclared.push(name);
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    for (const name of extraNames(item)) {
      // A bound, since ten thousand equal findings say no more than the first thousand.
      if (record.undeclared.length < 1000) record.undeclared.push(`data[${index}].${name}`);
    }
  }
}

function runItem(gateway: Gateway, account: Account, item: unknown, origin: Origin): ItemResult {
  if (!isObject(item)) return { success: false, error: ERRORS.messageType, data: { id: null } };
  return gateway.execute(account, item, origin);
}

/** Takes a request into the queue; what is refused later is reported by a REJECTED callback. */
export function enqueue(
  gateway: Gateway,
  account: Account,
  items: unknown[],
  record?: RecordedRequest,
): Answer {
  const requestId = randomUUID();
  if (record) record.requestId = requestId;
  gateway.schedule.after(gateway.config.queueDelayMs, () => {
    for (const [index, item] of items.entries()) {
      const origin = record ? { requestId, request: record.seq, index } : { requestId };
      const result = runItem(gateway, account, item, origin);
      if (!result.success && isObject(item)) {
        gateway.delivery.outcomes.reject(item, result.error ?? '', requestId);
      }
    }
  });
  return { code: 200, body: { success: true, request_id: requestId } };
}
