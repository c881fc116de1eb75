import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { ACTION, credentialData, CREDENTIAL_TYPE, realN8n, TRIGGER } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

/** What n8n tells its editor of a node or credential type. */
interface LoadedType {
  name: string;
  displayName: string;
  iconUrl?: { light: string; dark: string };
  codex?: { alias?: string[] };
  supportedNodes?: string[];
}

let sandbox: Sandbox;
let n8n: RealN8n;

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
});
afterAll(async () => await sandbox?.close());

async function types(kind: 'nodes' | 'credentials'): Promise<Map<string, LoadedType>> {
  const { name, value } = n8n.client.session;
  const response = await fetch(`${n8n.url}/types/${kind}.json`, { headers: { cookie: `${name}=${value}` } });
  return new Map(((await response.json()) as LoadedType[]).map((type) => [type.name, type]));
}

describe('the packed package in n8n', () => {
  it('brings the action node, its form as a tool for agents, and the trigger', async () => {
    const nodes = await types('nodes');
    const own = [...nodes.keys()].filter((name) => name.startsWith('n8n-nodes-messaging-gateway.'));
    expect(own.sort()).toEqual([ACTION, `${ACTION}HitlTool`, `${ACTION}Tool`, TRIGGER].sort());
  });

  it('brings the credential, which both know who uses', async () => {
    const credential = (await types('credentials')).get(CREDENTIAL_TYPE);
    expect(credential?.displayName).toBe('Messaging Gateway API');
    expect(credential?.supportedNodes).toContain(ACTION);
  });

  it.each([
    ['nodes', ACTION],
    ['nodes', TRIGGER],
    ['credentials', CREDENTIAL_TYPE],
  ] as const)('serves the icons of %s %s for both themes', async (kind, name) => {
    const icons = (await types(kind)).get(name)?.iconUrl;
    expect(icons?.light).not.toBe(icons?.dark);
    for (const path of [icons?.light, icons?.dark]) {
      const response = await fetch(`${n8n.url}/${path}`);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        200,
        expect.stringContaining('<svg'),
      ]);
    }
  });

  it.each([
    [ACTION, ['SMS', 'Viber', 'OTP']],
    [TRIGGER, ['SMS', 'Viber', 'Delivery Report']],
  ])('%s is found in the node panel by what it does', async (name, aliases) => {
    expect((await types('nodes')).get(name)?.codex?.alias).toEqual(expect.arrayContaining(aliases));
  });

  it('serves the preview of the output of an operation', async () => {
    const response = await fetch(`${n8n.url}/schemas/${ACTION}/1.0.0/message/sendSms.json`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      type: 'object',
      properties: { id: { type: expect.anything() } },
    });
  });

  it('keeps the data of a credential encrypted', async () => {
    const { id } = await n8n.client.createCredential('Encrypted', CREDENTIAL_TYPE, credentialData(sandbox));
    const database = new DatabaseSync(join(n8n.folder, '.n8n', 'database.sqlite'), { readOnly: true });
    const row = database.prepare('SELECT data FROM credentials_entity WHERE id = ?').get(id) as {
      data: string;
    };
    database.close();
    expect(row.data.length).toBeGreaterThan(50);
    expect(row.data).not.toContain(sandbox.account().key);
    expect(Buffer.from(row.data, 'base64').toString('latin1')).not.toContain(sandbox.baseUrl);
  });
});
