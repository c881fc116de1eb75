/** Proves in a real n8n what is reported of rows by a gateway whose answers are told apart from what it does. */
import { HostileGateway } from './hostile-gateway.mts';
import type { Mode, ProofSettings, Verdict } from './proof.mts';
import { inLanes, MODES, postRows, sendingWorkflow } from './proof.mts';
import { action, CREDENTIAL_TYPE } from './real-n8n.mts';
import type { RefusalCase } from './refusal-cases.mts';
import { senderNamed, smsForm } from './sends.mts';
import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** One output of the node. */
interface Row {
  phone?: number;
  error?: string;
  state?: string;
}

/** Sends the rows of each case in each mode, to a gateway of its own. Returns a verdict for each. */
export async function proveRefusals(
  client: N8nClient,
  cases: RefusalCase[],
  settings: ProofSettings,
): Promise<Verdict[]> {
  const runs = cases.flatMap((one) => (Object.keys(MODES) as Mode[]).map((mode) => ({ one, mode })));
  return await inLanes(runs, settings, async ({ one, mode }, place) => ({
    name: `${one.name}, ${mode}`,
    faults: await proveCase(client, { one, mode, path: `refusals-${process.pid}-${place}` }),
  }));
}

interface Place {
  one: RefusalCase;
  mode: Mode;
  path: string;
}

async function proveCase(client: N8nClient, { one, mode, path }: Place): Promise<string[]> {
  const gateway = new HostileGateway(one.conduct());
  await gateway.listen();
  try {
    const { url } = gateway;
    const credential = await client.createCredential(path, CREDENTIAL_TYPE, {
      apiKey: 'a-key-of-the-proof',
      baseUrl: url,
      asyncUrl: url,
      mcpUrl: url,
    });
    const options = one.batchSize === undefined ? {} : { batchSize: one.batchSize };
    const parameters = smsForm({ smsSignature: senderNamed(), options });
    const workflow = sendingWorkflow(path, action('Send', credential, parameters, MODES[mode]));
    await client.activate(await client.createWorkflow(workflow));
    // The test of a credential asks for the balance.
    gateway.requests.length = 0;
    const phones = Array.from({ length: one.rows }, (_, i) => 380_500_000_000 + i);
    const { status, text } = await postRows(
      `${client.url}/webhook/${path}`,
      phones.map((phone) => ({ phone })),
    );
    if (status !== 200) return [`n8n answered ${status}: ${text.slice(0, 300)}`];
    return faultsIn(JSON.parse(text) as Row[], gateway, one);
  } finally {
    gateway.close();
  }
}

function faultsIn(results: Row[], { taken }: HostileGateway, one: RefusalCase): string[] {
  const times = [...taken.values()].reduce((sum, count) => sum + count, 0);
  const isExpected = one.taken === undefined || one.taken === taken.size;
  return [
    ...(times === taken.size ? [] : [`${times} messages to ${taken.size} numbers`]),
    ...(results.length === one.rows ? [] : [`${results.length} outputs for ${one.rows} rows`]),
    ...(isExpected ? [] : [`${taken.size} were taken in place of ${one.taken}`]),
    ...new Set(results.flatMap((row) => wrongIn(row, taken.has(Number(row.phone)), one))),
  ];
}

function wrongIn({ error, state }: Row, isTaken: boolean, { isUnknowable }: RefusalCase): string[] {
  const said = error === undefined ? 'accepted' : `${state}: ${error.replace(/\d{5,}/g, '…')}`;
  if (isUnknowable) return state === 'unknown' ? [] : [`nobody can know it, and it is reported as ${said}`];
  if (isTaken) return error === undefined ? [] : [`taken, and reported as ${said}`];
  return state === 'refused' || state === 'notSent' ? [] : [`not taken, and reported as ${said}`];
}
