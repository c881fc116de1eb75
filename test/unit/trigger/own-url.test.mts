import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { findCallbackUrl } from '../../../nodes/gateway/callback/callback-url.ts';
import { forgetUrl, knowsUrl, rememberUrl } from '../../../nodes/MessagingGatewayTrigger/own-url.ts';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/7d0f/callback';

function contextOf(
  options: IDataObject = {},
  settings: { mode?: string; url?: string; credentials?: object } = {},
) {
  const { mode = 'trigger', url = URL_OF_TRIGGER, credentials } = settings;
  const staticData: IDataObject = {};
  const warn = jest.fn();
  const context = {
    getMode: () => mode,
    getNode: () => ({ name: 'Trigger', type: 't', credentials }),
    getNodeParameter: () => options,
    getNodeWebhookUrl: () => url,
    getWorkflow: () => ({ id: 'w' }),
    getWorkflowStaticData: () => staticData,
    logger: { warn },
  } as unknown as IHookFunctions;
  return { context, staticData, warn };
}

it('leaves its production URL where the send nodes of the workflow find it, and takes it away again', () => {
  const { context, staticData, warn } = contextOf();
  expect(knowsUrl(context)).toBe(false);
  rememberUrl(context);
  expect(staticData).toEqual({ messagingGatewayCallbackUrl: URL_OF_TRIGGER });
  expect(knowsUrl(context)).toBe(true);
  expect(warn).not.toHaveBeenCalled();
  forgetUrl(context);
  expect(staticData).toEqual({});
});

it('tells it to runs without static data, as those of the editor, until the workflow is unpublished', () => {
  const { context } = contextOf();
  const fromEditor = () => findCallbackUrl({ staticData: {}, workflowId: 'w' });
  rememberUrl(context);
  expect(fromEditor()).toBe(URL_OF_TRIGGER);
  expect(findCallbackUrl({ staticData: {}, workflowId: 'other' })).toBeUndefined();
  forgetUrl(context);
  expect(fromEditor()).toBeUndefined();
});

it('tells it after a restart of n8n, which finds it in the static data', () => {
  const { context, staticData } = contextOf();
  staticData.messagingGatewayCallbackUrl = URL_OF_TRIGGER;
  expect(knowsUrl(context)).toBe(true);
  expect(findCallbackUrl({ staticData: {}, workflowId: 'w' })).toBe(URL_OF_TRIGGER);
  forgetUrl(context);
});

it('adds the secret to it', () => {
  const { context, staticData } = contextOf({ secret: 'a&b c' });
  rememberUrl(context);
  expect(new URL(String(staticData.messagingGatewayCallbackUrl)).searchParams.get('secret')).toBe('a&b c');
});

it('never leaves the URL of a test', () => {
  const { context, staticData } = contextOf({}, { mode: 'manual' });
  rememberUrl(context);
  expect(staticData).toEqual({});
});

it('says in the log when a gateway on the internet can not reach it, and works on', () => {
  const { context, warn } = contextOf({}, { url: 'http://localhost:5678/webhook/7d0f/callback' });
  expect(rememberUrl(context)).toBe(true);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('on this machine only'));
});

it.each([
  ['an empty secret', { secret: '' }, /'Secret' is empty/],
  ['an address list with a word in it', { allowedIps: '192.0.2.1, everybody' }, /everybody/],
  ['an address list that is blank', { allowedIps: ' , ' }, /no address/],
  ['a check with the gateway without a credential', { verifyWithGateway: true }, /'Verify With Gateway'/],
])('is not published with %s', (_, options, message) => {
  const { context, staticData } = contextOf(options);
  expect(() => rememberUrl(context)).toThrow(message);
  expect(staticData).toEqual({});
});

it('is published with options that are complete', () => {
  const options = { secret: 's', allowedIps: '192.0.2.1, 2001:db8::/32', verifyWithGateway: true };
  const { context } = contextOf(options, { credentials: { messagingGatewayApi: { id: '1', name: 'n' } } });
  expect(rememberUrl(context)).toBe(true);
});
