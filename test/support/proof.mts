/** Cases of the proof in a real n8n: what a gateway says and when it breaks, and what has to be true of each row afterwards. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import type { FaultPlan, Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { action, credentialData, CREDENTIAL_TYPE } from './real-n8n.mts';
import { senderNamed, smsForm } from './sends.mts';

/** Messages of one case, which go in one request. */
const COUNT = 60;

/** With On Error set to continue, without and with Retry On Fail. */
export const MODES = {
  continue: { onError: 'continueRegularOutput' },
  retry: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1000 },
} satisfies Record<string, IDataObject>;
export type Mode = keyof typeof MODES;
type DuplicateIds = 'accept' | 'refuse';

export interface Case {
  name: string;
  mode: Mode;
  fault: FaultPlan;
  /** What the gateway does with an id that it has. */
  duplicateIds: DuplicateIds;
}

/** A case, and what is wrong in it; an empty list where nothing is. */
export interface Verdict {
  name: string;
  faults: string[];
  seconds: number;
}

const inEachMode = (name: string, fault: FaultPlan, duplicateIds: DuplicateIds = 'accept'): Case[] =>
  (Object.keys(MODES) as Mode[]).map((mode) => ({ name: `${name}, ${mode}`, mode, fault, duplicateIds }));

/** What a gateway may say that refuses a request: a fault, a refusal, in some languages, or nothing. */
const WORDINGS = [
  'Internal server error: MySQL has gone away',
  'Service temporarily unavailable',
  'Too many requests',
  "Access denied for user 'gate'@'10.0.0.7' (using password: YES)",
  'Внутренняя ошибка',
  'Error interno, intente más tarde',
  '系统错误',
  'Insufficient funds',
  'Недостаточно средств',
  'Error in Alpha-name',
  'Too many operations in one request',
  'Duplicate id',
  'Message not found',
  'The moon is in the wrong house',
  '',
];

/** Words after none, 40 % or all of the messages were taken. */
export const wordingCases = (wordings = WORDINGS): Case[] =>
  wordings.flatMap((error) =>
    [0, 0.4, 1].flatMap((takes) =>
      inEachMode(`"${error}", ${100 * takes} % taken`, { kind: 'refuse-after', error, takes }),
    ),
  );

/** Milliseconds: longer than a broken exchange is given to settle, and than most gateways' own limit. */
const HOLD = 31_000;

/** Exchanges that are held and break; the batch is taken up to three seconds later, or never. */
export const holdCases = (): Case[] =>
  [undefined, 502, 503].flatMap((status) =>
    [0, 1000, 3000, undefined].flatMap((later) => {
      const kind = status === undefined ? 'drop-before' : 'status-before';
      const commitDelay = later === undefined ? undefined : HOLD + later;
      const name = `held for ${HOLD} ms, ${kind} ${status ?? ''}, taken ${later ?? 'never'}`;
      return inEachMode(name, { kind, status, holdMs: HOLD, times: 1, commitDelay });
    }),
  );

/** Requests that something on the way repeats, and a queue's answer of the synchronous endpoint. */
export const otherCases = (): Case[] => [
  ...inEachMode('repeated', { kind: 'repeated' }),
  ...inEachMode('repeated, by a gateway that refuses duplicates', { kind: 'repeated' }, 'refuse'),
  ...inEachMode('acknowledged', { kind: 'acknowledged' }),
];

export interface ProofSettings {
  /** Cases that run at the same time. */
  parallel: number;
  /** Called when a case is done. */
  done?: (verdict: Verdict) => void;
}

/** Sends 60 messages in each case. Returns a verdict for each, and one on the contract for each gateway that was needed. */
export async function prove(client: N8nClient, cases: Case[], settings: ProofSettings): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const duplicateIds of ['accept', 'refuse'] as const) {
    const own = cases.filter((one) => one.duplicateIds === duplicateIds);
    if (own.length > 0) verdicts.push(...(await proveWith(duplicateIds, client, own, settings)));
  }
  return verdicts;
}

/** Proves the cases with one gateway, each by a sender of its own. */
async function proveWith(
  duplicateIds: DuplicateIds,
  client: N8nClient,
  cases: Case[],
  settings: ProofSettings,
): Promise<Verdict[]> {
  const senders = cases.map((_, place) => `Case${place}`);
  const sandbox = await startSandbox({
    accounts: [{ senders: { sms: senders, viber: [], rcs: [] } }],
    // `status` may be up to two seconds late after an answer.
    config: { statusLag: 1500, outcomes: { fallback: { steps: [] } }, rules: { duplicateIds } },
  });
  try {
    const credential = await client.createCredential('Proof', CREDENTIAL_TYPE, credentialData(sandbox));
    const parameters = smsForm({ smsSignature: senderNamed('={{ $json.sender }}'), options: {} });
    const pathOf = (mode: Mode) => `proof-${mode}-${process.pid}-${sandbox.port}`;
    for (const mode of new Set(cases.map((one) => one.mode))) {
      const send = action('Send', credential, parameters, MODES[mode]);
      await client.activate(await client.createWorkflow(sendingWorkflow(pathOf(mode), send)));
    }
    const verdicts = await inLanes(cases, settings, async (one, place) => {
      const url = `${client.url}/webhook/${pathOf(one.mode)}`;
      return { name: one.name, faults: await runCase(one, { sandbox, url, sender: senders[place] }) };
    });
    const { length } = sandbox.requests.flatMap(({ undeclared }) => undeclared);
    const faults = length > 0 ? [`${length} undeclared properties`] : [];
    return [...verdicts, { name: 'the contract is kept', faults, seconds: 0 }];
  } finally {
    await sandbox.close();
  }
}

/** Runs cases, several at the same time. Returns the verdict of each, in their order. */
export async function inLanes<Case>(
  cases: Case[],
  { parallel, done }: ProofSettings,
  run: (one: Case, place: number) => Promise<Omit<Verdict, 'seconds'>>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const left = [...cases.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [place, one] = next;
      const start = Date.now();
      const verdict = await run(one, place);
      verdicts[place] = { ...verdict, seconds: (Date.now() - start) / 1000 };
      done?.(verdicts[place]);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return verdicts;
}

/** A workflow whose webhook sends the rows of its body and answers with the outputs of the node. */
export function sendingWorkflow(path: string, send: NodeJson): WorkflowJson {
  const answers = { responseMode: 'lastNode', responseData: 'allEntries', options: {} };
  return chainOf(path, [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: { httpMethod: 'POST', path, ...answers },
    },
    {
      name: 'Rows',
      type: 'n8n-nodes-base.splitOut',
      parameters: { fieldToSplitOut: 'body.rows', options: {} },
    },
    send,
  ]);
}

interface Place {
  sandbox: Sandbox;
  url: string;
  sender: string;
}

async function runCase({ fault, duplicateIds }: Case, { sandbox, url, sender }: Place): Promise<string[]> {
  const isOwn = (operations: unknown) => (operations as IDataObject[])[0].sms_signature === sender;
  sandbox.faults.add({ ...fault, when: ({ body }) => isOwn(body) });
  const rows = Array.from({ length: COUNT }, (_, i) => ({ phone: 447700900000 + i, sender }));
  const { status, text } = await postRows(url, rows);
  if (status !== 200) return [`n8n answered ${status}: ${text.slice(0, 300)}`];
  const own = sandbox.messages.list().filter(({ operation }) => isOwn([operation]));
  const taken = new Set(own.map(({ phone }) => phone));
  // A request that something on the way repeats is one, and reaches a gateway that accepts duplicates twice.
  const times = fault.kind === 'repeated' && duplicateIds === 'accept' ? 2 : 1;
  const results = JSON.parse(text) as Row[];
  return [
    ...(own.length === times * taken.size ? [] : [`${own.length} messages to ${taken.size} numbers`]),
    ...(results.length === COUNT ? [] : [`${results.length} outputs for ${COUNT} rows`]),
    ...new Set(results.flatMap((row) => wrongIn(row, taken.has(Number(row.phone)), fault))),
  ];
}

/** One output of the node. */
interface Row {
  phone?: number;
  msg_id?: unknown;
  request_id?: unknown;
  error?: string;
  message?: string;
}

/** `status` of this gateway always tells in the end, so that nothing may stay unknown. */
function wrongIn(
  { error, message = '', ...row }: Row,
  isTaken: boolean,
  { kind, error: words = '' }: FaultPlan,
): string[] {
  const isReported = kind === 'acknowledged' ? row.request_id !== undefined : row.msg_id !== undefined;
  if (isTaken)
    return error === undefined && isReported ? [] : [`taken, and reported as: ${error ?? 'nothing'}`];
  if (error === undefined) return ['not taken, and reported as sent'];
  const isSaid =
    `${error} ${message}`.includes(words) && !/may have (accepted|taken)|unknown/i.test(error + message);
  return isSaid ? [] : [`not taken, and reported as: ${error}`];
}

/** Posts rows to the webhook of a workflow, which may not be there yet if it was activated a moment ago. */
export const postRows = async (url: string, rows: IDataObject[]): Promise<Answer> =>
  await until(url, async () => {
    const answer = await post(url, { rows });
    return answer.status === 404 ? undefined : answer;
  });

interface Answer {
  status?: number;
  text: string;
}

/** Posts JSON and waits for the answer however long it takes: `fetch` gives up after five minutes. */
async function post(url: string, body: unknown): Promise<Answer> {
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  sending.end(JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const parts: string[] = [];
  for await (const part of response.setEncoding('utf8')) parts.push(part as string);
  return { status: response.statusCode, text: parts.join('') };
}
