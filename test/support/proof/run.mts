/** Runs cases of the proof in a real n8n, beside each other, and reports what is not true afterwards. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../../../tools/n8n-host/workflow.mts';
import { chainOf } from '../../../tools/n8n-host/workflow.mts';
import { action, CREDENTIAL_TYPE } from '../real-n8n.mts';
import { senderNamed, smsForm } from '../sends.mts';
import type { Case, Mode, Row } from './cases.mts';
import { COUNT, faultsOf } from './cases.mts';
import type { ProofGateway } from './gateway.mts';
import { KEY, startProofGateway } from './gateway.mts';

/** A case, and what is wrong in it; an empty list where nothing is. */
export interface Verdict {
  name: string;
  faults: string[];
  seconds: number;
}

export interface ProofSettings {
  /** Cases that run at the same time. */
  parallel: number;
  /** Called when a case is done. */
  done?: (verdict: Verdict) => void;
}

const RETRIES: Record<Mode, IDataObject> = {
  continue: { onError: 'continueRegularOutput' },
  retry: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1000 },
};

/** Sends 60 messages in each case. Returns the verdicts in order, and a last one on all that the gateway got. */
export async function prove(client: N8nClient, cases: Case[], settings: ProofSettings): Promise<Verdict[]> {
  const gateway = await startProofGateway();
  try {
    const data = { apiKey: KEY, baseUrl: gateway.url, asyncUrl: gateway.url, mcpUrl: '' };
    const credential = await client.createCredential('Proof', CREDENTIAL_TYPE, data);
    const paths = new Map<Mode, string>();
    for (const mode of new Set(cases.map((one) => one.mode))) {
      const path = `proof-${mode}-${process.pid}-${Date.now()}`;
      const parameters = smsForm({ smsSignature: senderNamed('={{ $json.sender }}'), options: {} });
      const workflow = await client.createWorkflow(
        workflowOf(path, action('Send', credential, parameters, RETRIES[mode])),
      );
      await client.activate(workflow);
      paths.set(mode, path);
    }
    const verdicts: Verdict[] = [];
    const left = [...cases.entries()];
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [place, one] = next;
        const start = Date.now();
        const faults = await runCase(one, {
          client,
          gateway,
          path: paths.get(one.mode) ?? '',
          sender: `Case${place}`,
        });
        verdicts[place] = { name: one.name, faults, seconds: (Date.now() - start) / 1000 };
        settings.done?.(verdicts[place]);
      }
    };
    await Promise.all(Array.from({ length: settings.parallel }, lane));
    const breaches = [...new Set(gateway.breaches)];
    return [...verdicts, { name: 'the contract is kept', faults: breaches, seconds: 0 }];
  } finally {
    await gateway.close();
  }
}

/** A workflow whose webhook sends the rows of its body and answers with the outputs of the node. */
function workflowOf(path: string, send: NodeJson): WorkflowJson {
  return chainOf(path, [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: {
        httpMethod: 'POST',
        path,
        responseMode: 'lastNode',
        responseData: 'allEntries',
        options: {},
      },
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
  client: N8nClient;
  gateway: ProofGateway;
  path: string;
  sender: string;
}

async function runCase(one: Case, { client, gateway, path, sender }: Place): Promise<string[]> {
  gateway.behave(sender, one.conduct);
  const rows = Array.from({ length: COUNT }, (_, i) => ({ phone: 447700900000 + i, sender }));
  // A webhook that was activated a moment ago may not be there yet.
  const { status, text } = await client.until(20_000, `webhook ${path}`, async () => {
    const answer = await post(`${client.url}/webhook/${path}`, { rows });
    return answer.status === 404 ? undefined : answer;
  });
  if (status !== 200) return [`n8n answered ${status}: ${text.slice(0, 300)}`];
  return faultsOf(one, JSON.parse(text) as Row[], gateway.taken(sender));
}

/** Posts JSON and waits for the answer however long it takes: `fetch` gives up after five minutes. */
async function post(url: string, body: unknown): Promise<{ status?: number; text: string }> {
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  sending.end(JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const parts: string[] = [];
  for await (const part of response.setEncoding('utf8')) parts.push(part as string);
  return { status: response.statusCode, text: parts.join('') };
}
