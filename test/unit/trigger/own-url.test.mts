import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { findCallbackUrls } from '../../../nodes/gateway/callback/callback-url.ts';
import { readTriggerSettings } from '../../../nodes/MessagingGatewayTrigger/options.ts';
import { forgetUrl, rememberUrl, restoreUrl } from '../../../nodes/MessagingGatewayTrigger/own-url.ts';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/7d0f/callback';
const OLD = 'messagingGatewayCallbackUrl';

let workflowId = 'w';
let serial = 0;
beforeEach(() => {
  workflowId = `w${++serial}`;
});

function contextOf(
  options: IDataObject = {},
  {
    mode = 'trigger',
    url = URL_OF_TRIGGER,
    credentials,
  }: { mode?: string; url?: string; credentials?: object } = {},
) {
  const warn = jest.fn();
  const staticData: IDataObject = {};
  const parameters: IDataObject = { outcomes: ['delivered'], channels: [], options };
  const context = {
    getMode: () => mode,
    getNode: () => ({ id: 'a', name: 'Trigger a', type: 't', credentials, parameters }),
    getNodeParameter: (name: string) => parameters[name],
    getNodeWebhookUrl: () => url,
    getWorkflow: () => ({ id: workflowId }),
    getWorkflowStaticData: () => staticData,
    logger: { warn },
  } as unknown as IHookFunctions;
  return { context, staticData, warn };
}

const urlsIn = (staticData: IDataObject) =>
  findCallbackUrls({ staticData, workflowId }).map(({ url }) => url);

it('leaves its production URL where the send nodes of the workflow find it, and takes it away again', () => {
  const { context, staticData, warn } = contextOf();
  rememberUrl(context);
  expect(findCallbackUrls({ staticData, workflowId })).toEqual([{ name: 'Trigger a', url: URL_OF_TRIGGER }]);
  expect(warn).not.toHaveBeenCalled();
  forgetUrl(context);
  expect(staticData).toEqual({});
  expect(urlsIn(staticData)).toEqual([]);
});

it('adds the secret to it', () => {
  const { context, staticData } = contextOf({ secret: 'a&b c' });
  rememberUrl(context);
  expect(new URL(urlsIn(staticData)[0]).searchParams.get('secret')).toBe('a&b c');
});

it('never leaves the URL of a test', () => {
  const { context, staticData } = contextOf({}, { mode: 'manual' });
  rememberUrl(context);
  forgetUrl(context);
  expect([staticData, urlsIn({})]).toEqual([{}, []]);
});

it('says in the log when a gateway on the internet can not reach it, and works on', () => {
  const { context, warn } = contextOf({}, { url: 'http://localhost:5678/webhook/7d0f/callback' });
  expect(rememberUrl(context)).toBe(true);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('on this machine only'));
  expect(rememberUrl(context)).toBe(true);
  expect(warn).toHaveBeenCalledTimes(1);
});

const restore = (context: IHookFunctions) => {
  const settings = readTriggerSettings(context);
  if (!settings.ok) throw new Error(settings.message);
  return restoreUrl(context as unknown as IWebhookFunctions, settings);
};

/** Static data that an execution has overwritten with older ones. */
describe('lost static data', () => {
  it('are mended by the next call of the trigger', () => {
    const { context, staticData } = contextOf({ secret: 'new' }, { mode: 'webhook' });
    staticData[OLD] = `${URL_OF_TRIGGER}?secret=old`;
    expect(restore(context)).toBe(true);
    expect(staticData[OLD]).toBeUndefined();
    expect(urlsIn(staticData)).toEqual([`${URL_OF_TRIGGER}?secret=new`]);
  });

  it('are not written by a call of a workflow that has been published anew since', () => {
    const slow = contextOf({ secret: 'old' });
    rememberUrl(slow.context);
    rememberUrl(contextOf({ secret: 'new' }).context);
    expect(restore(slow.context)).toBe(false);
    forgetUrl(contextOf().context);
    expect(restore(slow.context)).toBe(false);
  });
});

it.each([
  ['an empty secret', { secret: '' }, /'Secret' is empty/],
  ['a check with the gateway without a credential', { verifyWithGateway: true }, /'Verify With Gateway'/],
])('%s is refused, published or not', (_, options, message) => {
  for (const mode of ['trigger', 'manual']) {
    const { context, staticData } = contextOf(options, { mode });
    expect(() => rememberUrl(context)).toThrow(message);
    expect(staticData).toEqual({});
  }
});

it('is published with options that are complete', () => {
  const options = { secret: 's', allowedIps: '192.0.2.1, 2001:db8::/32', verifyWithGateway: true };
  const { context } = contextOf(options, { credentials: { messagingGatewayApi: { id: '1', name: 'n' } } });
  expect(rememberUrl(context)).toBe(true);
});
