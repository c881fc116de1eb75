/** Where callbacks of messages are sent to, in n8n's engine: the option "Callback to This Workflow" and its limits. */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor, runNode } from '../support/engine.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { smsForm } from '../support/sends.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });

const TRIGGER_URL = 'https://n8n.example.com/webhook/0f/callback?secret=abc';
const leftBy = (...urls: string[]) => ({
  global: {
    messagingGatewayCallbackUrls: Object.fromEntries(
      urls.map((url, i) => [`id${i}`, { name: `Trigger ${i}`, url }]),
    ),
  },
});
const ITEMS = [{ id: 1, phone: '+380501234561' }];

const send = async (
  over: IDataObject,
  workflowStaticData: IDataObject = leftBy(TRIGGER_URL),
  items = ITEMS,
) =>
  await runOn(sandbox, {
    parameters: smsForm(over),
    items,
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

it.each<[string, IDataObject, IDataObject | undefined, string[]]>([
  ['the workflow is not published', {}, {}, ["isn't published. Nothing was sent", "'Callback URL'"]],
  [
    'several triggers are published',
    {},
    leftBy(TRIGGER_URL, 'https://n8n.example.com/webhook/1f/callback'),
    ['2 published Messaging Gateway Triggers', "'Trigger 0', 'Trigger 1'", "'Callback URL'"],
  ],
  ['there is a Callback URL as well', { hook: 'https://example.com/cb' }, undefined, ["'Callback URL'"]],
  ['the node waits', { waitForDelivery: true }, undefined, ["'Wait for Delivery'"]],
])('sends nothing where %s, and says what to do', async (_, { hook, ...over }, left, words) => {
  const options = { hookFromTrigger: true, ...(hook !== undefined && { hook }) } as IDataObject;
  const { error } = await send({ ...over, options }, left);
  for (const word of ["'Callback to This Workflow'", ...words])
    expect(`${error?.message} ${error?.description}`).toContain(word);
  expect(JSON.stringify(error)).not.toContain('secret=abc');
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
    const run = await send({ options }, leftBy(url));
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
    const run = await send({ options: { hookFromTrigger: true } }, leftBy(url));
    expect(hooks()).toEqual([url]);
    expect(everything(run)).not.toContain(SECRET);
  });

  it.each(['secret', 'signature'])(
    '(%s) is not shown where the gateway quotes it in what it refuses and accepts',
    async (key) => {
      const hook = `https://n8n.example.com/webhook/0f/callback?${key}=${SECRET}&sent_as=x`;
      const gateway = await startWebServer((response, { body }) => {
        const data = (JSON.parse(body) as { data: IDataObject[] }).data.map(({ id, hook: sent }) => {
          const quoted = `${String(sent)} ${encodeURIComponent(String(sent))}`;
          return id === 1
            ? { success: true, data: { id, msg_id: 5, note: quoted } }
            : { success: false, error: `Forbidden address ${quoted}`, data: { id } };
        });
        sendJson(response, { success: true, data });
      });
      const { url: baseUrl, received } = gateway;
      const run = await runNode({
        parameters: smsForm({ messageId: '={{ $json.id }}', options: { hook } }),
        items: [ITEMS[0], { id: 2, phone: '+380501234562' }],
        credentials: credentialsFor({ baseUrl, asyncUrl: baseUrl, mcpUrl: baseUrl }),
        onError: 'continueRegularOutput',
      });
      await gateway.close();
      expect(received[0].body).toContain(SECRET);
      expect(run.json.map(({ error }) => error === undefined)).toEqual([true, false]);
      // The rest of what was quoted is there.
      for (const json of run.json)
        expect(JSON.stringify(json)).toContain('n8n.example.com/webhook/0f/callback');
      expect(everything(run)).not.toContain(SECRET);
    },
  );
});

// Which addresses these are is in unit/callback/address.
it('says once at the node that a gateway on the internet may not reach the address, and sends the messages', async () => {
  const hook = 'http://localhost:5678/webhook/x';
  const run = await send({ options: { hook } }, {}, [ITEMS[0], { id: 2, phone: '+380501234562' }]);
  expect(hooks()).toEqual([hook, hook]);
  expect(hints(run)).toEqual([expect.stringContaining('on this machine only')]);
  const left = leftBy('http://127.0.0.1:5678/webhook/x');
  expect(hints(await send({ options: { hookFromTrigger: true } }, left))).toEqual([
    expect.stringContaining('on this machine only'),
  ]);
});
