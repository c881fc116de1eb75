import { e2eHost } from '../support/e2e-host.mts';
import { ACTION, CREDENTIAL_TYPE, TRIGGER } from '../support/real-n8n.mts';

/** What n8n tells its editor of a node or credential type. */
interface LoadedType {
  name: string;
  iconUrl?: { light: string; dark: string };
}

const host = e2eHost();
/** By name; n8n's own list of nodes has many megabytes. */
const types: Record<'nodes' | 'credentials', Map<string, LoadedType>> = {
  nodes: new Map(),
  credentials: new Map(),
};

beforeAll(async () => {
  const { name, value } = host.client.session;
  const headers = { cookie: `${name}=${value}` };
  for (const kind of ['nodes', 'credentials'] as const) {
    const response = await fetch(`${host.url}/types/${kind}.json`, { headers });
    for (const type of (await response.json()) as LoadedType[]) types[kind].set(type.name, type);
  }
});

describe('the packed package in n8n', () => {
  it('brings the action node, its form as a tool for agents, and the trigger', () => {
    const own = [...types.nodes.keys()].filter((name) => name.startsWith('n8n-nodes-messaging-gateway.'));
    expect(own.sort()).toEqual([ACTION, `${ACTION}HitlTool`, `${ACTION}Tool`, TRIGGER].sort());
  });

  it.each([
    ['nodes', ACTION],
    ['nodes', TRIGGER],
    ['credentials', CREDENTIAL_TYPE],
  ] as const)('serves the icons of %s %s for both themes', async (kind, name) => {
    const icons = types[kind].get(name)?.iconUrl;
    expect(icons?.light).not.toBe(icons?.dark);
    for (const path of [icons?.light, icons?.dark]) {
      const response = await fetch(`${host.url}/${path}`);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        200,
        expect.stringContaining('<svg'),
      ]);
    }
  });

  it('serves the preview of the output of an operation', async () => {
    const response = await fetch(`${host.url}/schemas/${ACTION}/1.0.0/message/sendSms.json`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      type: 'object',
      properties: { id: { type: expect.anything() } },
    });
  });
});
