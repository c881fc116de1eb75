/**
 * Whether a provider's gateway speaks this contract, found out by reading operations alone: nothing is sent, no number is
 * looked up, nothing is changed. The key leaves only after the address has refused a made-up one as the contract says.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { JsonObject } from '../types.mts';
import { ask, exposureOf } from './ask.mts';
import type { Asked } from './ask.mts';
import {
  itemsOf,
  judgeHealth,
  judgeItem,
  judgeKey,
  judgeQueue,
  judgeStranger,
  judgeTool,
  READING,
} from './judge.mts';
import type { Reading, Row } from './judge.mts';

export interface Addresses {
  /** {base_url} of the contract. */
  baseUrl: string;
  /** {async_url}; not looked at where it is undefined. */
  asyncUrl?: string;
  /** {mcp_url}; not looked at where it is undefined. */
  mcpUrl?: string;
}

/** What was found out, in one sentence, and the exit status that says the same. */
export interface Verdict {
  /** 0: it speaks the contract; 1: it doesn't, or not quite; 3: that could not be found out. */
  status: 0 | 1 | 3;
  said: string;
}

/** What a check needs of whoever runs it. */
export interface CheckOptions {
  /** Gives the key, or an empty text to go on without; called once it is safe to send it. */
  key: () => Promise<string>;
  /** Gets each row as soon as it is known. */
  tell: (row: Row) => void;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const MCP_HEADERS = { ...JSON_HEADERS, accept: 'application/json, text/event-stream' };

/** Where the id of a message that nobody has sent is drawn from: above what counters reach, beside what clocks give. */
const UNUSED_IDS = [2 ** 47, 2 ** 48 - 1] as const;

/** Looks at a gateway and returns what it found out. */
export async function check(addresses: Addresses, { key, tell }: CheckOptions): Promise<Verdict> {
  const rows: Row[] = [];
  const note = (...found: Row[]) => {
    for (const row of found) {
      rows.push(row);
      tell(row);
    }
  };
  const api = `${addresses.baseUrl}/api/json.php`;
  const stranger = await post(api, `no-key-${randomUUID()}`, [{ type: 'balance' }]);
  note(...judgeStranger(stranger));
  if (stranger.isSilent) return unknown(rows);
  if (rows.some(isDifferent)) return verdictOf(rows, true);
  const exposed = exposureOf(api);
  if (exposed) note({ mark: 'open', about: 'Encryption', said: exposed });
  const apiKey = await key();
  if (apiKey === '') {
    note({
      mark: 'skipped',
      about: 'Your key',
      said: 'none was given, so nothing that needs one is looked at',
    });
    return unknown(rows);
  }
  if (!(await readAll(api, apiKey, note))) return rows.some(isDifferent) ? verdictOf(rows) : unknown(rows);
  if (addresses.asyncUrl !== undefined) {
    note(judgeQueue(await post(`${addresses.asyncUrl}/v1/json`, apiKey, [{ type: 'balance' }])));
  }
  if (addresses.mcpUrl !== undefined) await lookAtConnector(addresses.mcpUrl, apiKey, note);
  return verdictOf(rows);
}

/** Asks for all that can be read: in one request, and one by one where that is refused. @returns whether the key is let in */
async function readAll(api: string, apiKey: string, note: (...rows: Row[]) => void): Promise<boolean> {
  const id = randomInt(...UNUSED_IDS);
  const operations = READING.map((type): JsonObject => (type === 'status' ? { type, id } : { type }));
  const alone = await post(api, apiKey, operations.slice(0, 1));
  const first = judgeKey(alone);
  note(first);
  if (first.mark !== 'ok') return false;
  const together = await post(api, apiKey, operations);
  const found = resultsOf(together, operations.length);
  if (found.problem === undefined) {
    note({
      mark: 'ok',
      about: 'One request',
      said: `${operations.length} operations in it get as many results`,
    });
    note(...READING.map((type, index) => judgeItem(type, found.items[index], id)));
    return true;
  }
  note({
    mark: 'differs',
    about: 'One request',
    said: `${operations.length} operations in it: ${found.problem}`,
  });
  for (const [index, type] of READING.entries())
    note(await readOne(api, apiKey, { type, id, operation: operations[index] }));
  return true;
}

async function readOne(
  api: string,
  apiKey: string,
  { type, id, operation }: { type: Reading; id: number; operation: JsonObject },
): Promise<Row> {
  const { items, problem } = resultsOf(await post(api, apiKey, [operation]), 1);
  return problem === undefined
    ? judgeItem(type, items[0], id)
    : { mark: 'differs', about: type, said: problem };
}

function resultsOf(asked: Asked, wanted: number): { items: JsonObject[]; problem?: string } {
  if (!asked.reply) return { items: [], problem: asked.problem };
  const { body } = asked.reply;
  if (body.success === true) return itemsOf(body, wanted);
  return { items: [], problem: judgeKey(asked).said };
}

async function lookAtConnector(
  mcpUrl: string,
  apiKey: string,
  note: (...rows: Row[]) => void,
): Promise<void> {
  note(judgeHealth(await ask({ method: 'GET', url: `${mcpUrl}/health` })));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'balance', arguments: {} } };
  const headers = { ...MCP_HEADERS, authorization: `Bearer ${apiKey}` };
  note(judgeTool(await ask({ method: 'POST', url: `${mcpUrl}/mcp`, headers, body: call, secret: apiKey })));
}

/** Posts the envelope of the contract ("Request envelope"). */
const post = (url: string, auth: string, data: JsonObject[]): Promise<Asked> =>
  ask({ method: 'POST', url, headers: JSON_HEADERS, body: { auth, data }, secret: auth });

const isDifferent = ({ mark }: Row): boolean => mark === 'differs';

function unknown(rows: Row[]): Verdict {
  const reason = rows.at(-1)!;
  const soFar = rows.some(({ mark }) => mark === 'ok')
    ? 'So far this looks like a gateway of this contract, but the rest could not be looked at'
    : 'It could not be found out whether this is a gateway of this contract';
  return { status: 3, said: `${soFar}. ${reason.about}: ${reason.said}.` };
}

/** @param isOther whether what differs is so basic that nothing else was looked at */
function verdictOf(rows: Row[], isOther = false): Verdict {
  const different = rows.filter(isDifferent);
  if (different.length === 0) {
    const open = rows.filter(({ mark }) => mark === 'open').length;
    const left = 'left open by the contract, or a little beside it, and no obstacle';
    const more = open === 0 ? '' : ` ${open} of ${rows.length} rows are marked open: ${left}.`;
    return { status: 0, said: `This looks like a gateway of this contract.${more}` };
  }
  const [first, ...others] = different.map(({ about, said }) => `${about}: ${said}.`);
  if (isOther)
    return {
      status: 1,
      said: ['This does not look like a gateway of this contract.', first, ...others].join(' '),
    };
  const count = different.length === 1 ? '1 row differs' : `${different.length} rows differ`;
  return {
    status: 1,
    said: [`This looks like a gateway of this contract only in part: ${count}.`, first, ...others].join(' '),
  };
}
