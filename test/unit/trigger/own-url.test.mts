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

interface Settings {
  mode?: string;
  url?: string;
  credentials?: object;
  id?: string;
  staticData?: IDataObject;
}

function contextOf(options: IDataObject = {}, settings: Settings = {}) {
  const { mode = 'trigger', url = URL_OF_TRIGGER, credentials, id = 'a', staticData = {} } = settings;
  const warn = jest.fn();
  const parameters: IDataObject = { outcomes: ['delivered'], channels: [], options };
  const context = {
    getMode: () => mode,
    getNode: () => ({ id, name: `Trigger ${id}`, type: 't', credentials, parameters }),
    getNodeParameter: (name: string) => parameters[name],
    getNodeWebhookUrl: () => url,
    getWorkflow: () => ({ id: workflowId }),
    getWorkflowStaticData: () => staticData,
    logger: { warn },
  } as unknown as IHookFunctions;
  return { context, staticData, warn };
}

const urlsIn = (staticData: IDataObject, of = workflowId) =>
  findCallbackUrls({ staticData, workflowId: of }).map(({ url }) => url);

it('leaves its production URL where the send nodes of the workflow find it, and takes it away again', () => {
  const { context, staticData, warn } = contextOf();
  rememberUrl(context);
  expect(findCallbackUrls({ staticData, workflowId })).toEqual([{ name: 'Trigger a', url: URL_OF_TRIGGER }]);
  expect(warn).not.toHaveBeenCalled();
  forgetUrl(context);
  expect(staticData).toEqual({});
  expect(urlsIn(staticData)).toEqual([]);
});

it('tells it to runs without static data, as those of the editor, until the workflow is unpublished', () => {
  const { context } = contextOf();
  rememberUrl(context);
  expect(urlsIn({})).toEqual([URL_OF_TRIGGER]);
  expect(urlsIn({}, 'other')).toEqual([]);
  forgetUrl(context);
  expect(urlsIn({})).toEqual([]);
});

it('tells it after a restart of n8n, which finds it in the static data', () => {
  const { context, staticData } = contextOf();
  rememberUrl(context);
  // Another workflow id stands for a process that knows nothing yet.
  workflowId = 'restarted';
  const before = structuredClone(staticData);
  expect(urlsIn(staticData)).toEqual([URL_OF_TRIGGER]);
  rememberUrl(context);
  expect(urlsIn({})).toEqual([URL_OF_TRIGGER]);
  expect(staticData).toEqual(before);
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

describe('with several triggers in the workflow', () => {
  const [A, B] = ['https://n8n.example.com/webhook/a/callback', 'https://n8n.example.com/webhook/b/callback'];
  const staticOf = (): { staticData: IDataObject; a: IHookFunctions; b: IHookFunctions } => {
    const staticData: IDataObject = {};
    const a = contextOf({}, { id: 'a', url: A, staticData }).context;
    const b = contextOf({}, { id: 'b', url: B, staticData }).context;
    return { staticData, a, b };
  };

  it('keeps the URL of each, sorted by name', () => {
    const { staticData, a, b } = staticOf();
    rememberUrl(b);
    rememberUrl(a);
    expect(urlsIn(staticData)).toEqual([A, B]);
  });

  it('changes and removes only the own one', () => {
    const { staticData, a, b } = staticOf();
    [a, b].forEach(rememberUrl);
    forgetUrl(a);
    expect(urlsIn(staticData)).toEqual([B]);
    rememberUrl(a);
    forgetUrl(b);
    expect(urlsIn(staticData)).toEqual([A]);
    // Edited: n8n removes it and creates it again.
    forgetUrl(a);
    const edited = contextOf({ secret: 's' }, { id: 'a', url: A, staticData }).context;
    rememberUrl(edited);
    expect(urlsIn(staticData)).toEqual([`${A}?secret=s`]);
  });

  it('uses what version 0.1.0 left until the same trigger is published again', () => {
    const { staticData, a, b } = staticOf();
    staticData[OLD] = `${B}?secret=old`;
    expect(urlsIn(staticData)).toEqual([`${B}?secret=old`]);
    rememberUrl(a);
    expect(urlsIn(staticData).sort()).toEqual([A, `${B}?secret=old`]);
    rememberUrl(b);
    expect(staticData[OLD]).toBeUndefined();
    expect(urlsIn(staticData)).toEqual([A, B]);
  });

  it('removes what version 0.1.0 left when that trigger is unpublished', () => {
    const { staticData, a, b } = staticOf();
    staticData[OLD] = `${B}?secret=old`;
    forgetUrl(a);
    expect(urlsIn(staticData)).toEqual([`${B}?secret=old`]);
    forgetUrl(b);
    expect(urlsIn(staticData)).toEqual([]);
  });
});

describe('static data that an execution has overwritten with older ones', () => {
  it('do not bring back an older URL in this process', () => {
    const { context, staticData } = contextOf();
    rememberUrl(context);
    const older = structuredClone(staticData);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
    rememberUrl(contextOf({ secret: 'new' }).context);
    jest.restoreAllMocks();
    expect(urlsIn(older)).toEqual([`${URL_OF_TRIGGER}?secret=new`]);
  });

  it('do not bring back a trigger that is no longer published', () => {
    const { context, staticData } = contextOf();
    rememberUrl(context);
    const older = structuredClone(staticData);
    forgetUrl(context);
    expect(urlsIn(older)).toEqual([]);
  });

  const restore = (context: IHookFunctions) => {
    const settings = readTriggerSettings(context);
    if (!settings.ok) throw new Error(settings.message);
    return restoreUrl(context as unknown as IWebhookFunctions, settings);
  };

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

describe.each([
  ['an empty secret', { secret: '' }, /'Secret' is empty/],
  ['a secret whose expression resolves to nothing', { secret: undefined }, /'Secret' is empty/],
  ['an address list with a word in it', { allowedIps: '192.0.2.1, everybody' }, /everybody/],
  ['an address list that is blank', { allowedIps: ' , ' }, /no address/],
  ['an empty address list', { allowedIps: '' }, /'Allowed IP Addresses' is empty/],
  ['a check with the gateway without a credential', { verifyWithGateway: true }, /'Verify With Gateway'/],
])('%s', (_, options, message) => {
  it.each(['trigger', 'manual'])('is refused in the mode %s, published before or not', (mode) => {
    const { context, staticData } = contextOf(options, { mode });
    expect(() => rememberUrl(context)).toThrow(message);
    expect(staticData).toEqual({});
  });
});

it('is published with options that are complete', () => {
  const options = { secret: 's', allowedIps: '192.0.2.1, 2001:db8::/32', verifyWithGateway: true };
  const { context } = contextOf(options, { credentials: { messagingGatewayApi: { id: '1', name: 'n' } } });
  expect(rememberUrl(context)).toBe(true);
});

it.each([[5], ['x'], [null], [{ a: 5 }], [{ a: { url: 5, name: 'a', at: 1 } }], [[]]])(
  'finds nothing in malformed static data: %j',
  (saved) => {
    expect(urlsIn({ messagingGatewayCallbackUrls: saved } as IDataObject)).toEqual([]);
    const { context, staticData } = contextOf(
      {},
      { staticData: { messagingGatewayCallbackUrls: saved } as IDataObject },
    );
    rememberUrl(context);
    expect(urlsIn(staticData)).toEqual([URL_OF_TRIGGER]);
  },
);
