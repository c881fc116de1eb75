/** Where callbacks of messages are sent to, in n8n's engine: the option "Callback to This Workflow" and its limits. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { credentialsFor, runNode } from '../support/engine.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { smsForm } from '../support/sends.mts';
import { startWebServer } from '../support/web-server.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const TRIGGER_URL = 'https://n8n.example.com/webhook/0f/callback?secret=abc';
const leftByTriggers = (...urls: string[]) => ({
  global: {
    messagingGatewayCallbackUrls: Object.fromEntries(
      urls.map((url, i) => [`id${i}`, { name: `Trigger ${i}`, url }]),
    ),
  },
});
const leftByTrigger = (url: string) => leftByTriggers(url);
const ITEMS = [{ id: 1, phone: '+380501234561' }];

const send = async (
  over: IDataObject,
  workflowStaticData: IDataObject = leftByTrigger(TRIGGER_URL),
  items = ITEMS,
) =>
  await runNode({
    parameters: smsForm(over),
    items,
    credentials: credentialsFor(sandbox),
    workflowStaticData,
  });
const hooks = () => sandbox.messages.list().map(({ operation }) => operation.hook);
const hints = (run: Awaited<ReturnType<typeof send>>) => run.task?.hints?.map(({ message }) => message) ?? [];

const REPORTING = OPERATION_CASES.filter(
  ({ wire, output }) => 'msg_id' in output && !['voice', 'call/otp', 'pipeline'].includes(String(wire.type)),
);

it.each(REPORTING.map((one) => [String(one.wire.type), one] as const))(
  '%s gets the URL that the trigger of the workflow left',
  async (type, { resource, operation, parameters }) => {
    const options = { ...(parameters.options as IDataObject | undefined), hookFromTrigger: true };
    delete (options as IDataObject).hook;
    const run = await send({ resource, operation, ...parameters, options });
    expect(run.error).toBeUndefined();
    const hook = new URL(String(hooks()[0]));
    // A callback names the channel alone; of a message with a fallback the trigger has to know what was sent.
    const sentAs = type.includes('+') ? type : null;
    expect(hook.searchParams.get('sent_as')).toBe(sentAs);
    hook.searchParams.delete('sent_as');
    expect(hook.toString()).toBe(TRIGGER_URL);
    expect(hints(run)).toEqual([]);
  },
);

it('sends no address where the option is off or absent', async () => {
  await send({ options: { hookFromTrigger: false } });
  await send({ options: {} });
  expect(hooks()).toEqual([undefined, undefined]);
});

it('sends nothing where no published trigger left its URL, and says what to do', async () => {
  const { error } = await send({ options: { hookFromTrigger: true } }, {});
  expect(error?.message).toContain("'Callback to This Workflow'");
  expect(error?.message).toContain('no published Messaging Gateway Trigger');
  expect(error?.description).toContain("'Callback URL'");
  expect(sandbox.counts().requests).toBe(0);
});

it('sends nothing where several triggers are published, and names them', async () => {
  const several = leftByTriggers(TRIGGER_URL, 'https://n8n.example.com/webhook/1f/callback');
  const { error } = await send({ options: { hookFromTrigger: true } }, several);
  expect(error?.message).toContain("'Callback to This Workflow'");
  expect(error?.message).toContain('2 published Messaging Gateway Triggers');
  expect(error?.description).toContain("'Trigger 0', 'Trigger 1'");
  expect(error?.description).toContain("'Callback URL'");
  expect(JSON.stringify(error)).not.toContain('abc');
  expect(sandbox.counts().requests).toBe(0);
});

describe('the secret of an address', () => {
  const SECRET = 'S3cretOfTheTrigger';
  const url = `https://n8n.example.com/webhook/0f/callback?secret=${SECRET}&sent_as=x`;
  // n8n keeps the parameters of the node, which the author of the workflow wrote, beside an error.
  const everything = ({ task, items, error }: Awaited<ReturnType<typeof send>>) =>
    JSON.stringify([task?.data, task?.hints, items, error?.message, error?.description]);

  it.each([
    ['the trigger', { hookFromTrigger: true, checkOnly: true }],
    ['the user', { hook: url, checkOnly: true }],
  ])('that %s set is not shown by Check Only, but that there is one', async (_, options) => {
    const run = await send({ options }, leftByTrigger(url));
    expect(run.error).toBeUndefined();
    expect(everything(run)).not.toContain(SECRET);
    expect(everything(run)).toContain('https://n8n.example.com/webhook/0f/callback?secret=***&sent_as=x');
    expect(sandbox.counts().requests).toBe(0);
  });

  it.each([
    ['while the node waits', { waitForDelivery: true, options: { hook: url } }],
    ['that is no address', { options: { hook: `n8n.example.com/webhook?secret=${SECRET}` } }],
  ])('%s is not shown by the error', async (_, over) => {
    const run = await send(over);
    expect(run.error).toBeDefined();
    expect(everything(run)).not.toContain(SECRET);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('is not in the output of a send', async () => {
    const run = await send({ options: { hookFromTrigger: true } }, leftByTrigger(url));
    expect(hooks()).toEqual([url]);
    expect(everything(run)).not.toContain(SECRET);
  });

  it.each(['secret', 'signature'].flatMap((key) => ['refuses', 'accepts'].map((fate) => [key, fate] as const)))(
    '(%s) is not shown where the gateway quotes it in what it %s',
    async (key, fate) => {
      const hook = `https://n8n.example.com/webhook/0f/callback?${key}=${SECRET}&sent_as=x`;
      const gateway = await startWebServer((response, { body }) => {
        const [sent] = (JSON.parse(body) as { data: IDataObject[] }).data;
        const quoted = `${String(sent.hook)} ${encodeURIComponent(String(sent.hook))}`;
        const answer =
          fate === 'refuses'
            ? { success: false, error: `Forbidden address ${quoted}`, data: { id: sent.id } }
            : { success: true, data: { id: sent.id, msg_id: 5, note: quoted } };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ success: true, data: [answer] }));
      });
      try {
        const { url: baseUrl } = gateway;
        const run = await runNode({
          parameters: smsForm({ options: { hook } }),
          items: ITEMS,
          credentials: credentialsFor({ baseUrl, asyncUrl: baseUrl, mcpUrl: baseUrl }),
        });
        expect(gateway.received[0].body).toContain(SECRET);
        expect(run.error === undefined).toBe(fate === 'accepts');
        // The rest of what was quoted is there.
        expect(everything(run)).toContain('n8n.example.com/webhook/0f/callback');
        expect(everything(run)).not.toContain(SECRET);
      } finally {
        await gateway.close();
      }
    },
  );
});

it.each([
  ['Callback URL', { options: { hookFromTrigger: true, hook: 'https://example.com/cb' } }],
  ['Wait for Delivery', { options: { hookFromTrigger: true }, waitForDelivery: true }],
])('refuses it together with %s, before anything is sent', async (other, over) => {
  const { error } = await send(over);
  expect(error?.message).toContain("'Callback to This Workflow'");
  expect(`${error?.message} ${error?.description}`).toContain(`'${other}'`);
  expect(sandbox.counts().requests).toBe(0);
});

describe('an address that a gateway on the internet may not reach', () => {
  it.each([
    ['http://localhost:5678/webhook/x', 'on this machine only'],
    ['https://192.168.1.5/webhook/x', 'private network'],
    ['http://n8n.example.com/webhook/x', 'not encrypted'],
    ['https://n8n.example.com/webhook-test/x', 'test URL'],
  ])('%s is said at the node, once, and the messages leave', async (hook, reason) => {
    const run = await send({ options: { hook } }, {}, [ITEMS[0], { id: 2, phone: '+380501234562' }]);
    expect(hooks()).toEqual([hook, hook]);
    expect(hints(run)).toEqual([expect.stringContaining(reason)]);
  });

  it('is not said of one that can be reached', async () => {
    expect(hints(await send({ options: { hook: 'https://n8n.example.com/webhook/x' } }))).toEqual([]);
  });

  it('is said of the URL that the trigger left', async () => {
    const left = leftByTrigger('http://127.0.0.1:5678/webhook/x');
    const run = await send({ options: { hookFromTrigger: true } }, left);
    expect(hints(run)).toEqual([expect.stringContaining('on this machine only')]);
  });
});
