import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { forgetUrl, rememberUrl } from '../../../nodes/MessagingGatewayTrigger/own-url.ts';
import { findUrls } from '../../../nodes/n8n/trigger-urls.ts';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/7d0f/callback';

let workflow = 0;
beforeEach(() => {
  workflow += 1;
});

function contextOf(options: IDataObject, mode = 'trigger', url = URL_OF_TRIGGER) {
  const warn = jest.fn();
  const staticData: IDataObject = {};
  const parameters: IDataObject = { outcomes: ['delivered'], channels: [], options };
  const context = {
    getMode: () => mode,
    getNode: () => ({ id: 'a', name: 'Trigger a', type: 't', parameters }),
    getNodeParameter: (name: string) => parameters[name],
    getNodeWebhookUrl: () => url,
    getWorkflow: () => ({ id: String(workflow) }),
    getInstanceId: () => 'instance',
    getWorkflowStaticData: () => staticData,
    logger: { warn },
  } as unknown as IHookFunctions;
  return { context, staticData, warn, found: () => findUrls(context as never) };
}

it('leaves its production URL where the send nodes of the workflow find it, and takes it away again', () => {
  const { context, warn, found } = contextOf({ secret: 'a&b c' });
  rememberUrl(context);
  expect(found()).toEqual([{ name: 'Trigger a', url: `${URL_OF_TRIGGER}?secret=a%26b+c` }]);
  expect(warn).not.toHaveBeenCalled();
  forgetUrl(context);
  expect(found()).toEqual([]);
});

it('never leaves the URL of a test', () => {
  const { context, staticData, found } = contextOf({}, 'manual');
  rememberUrl(context);
  forgetUrl(context);
  expect([staticData, found()]).toEqual([{}, []]);
});

it('says once in the log that a gateway on the internet can not reach it, and works on', () => {
  const { context, warn } = contextOf({}, 'trigger', 'http://localhost:5678/webhook/7d0f/callback');
  expect([rememberUrl(context), rememberUrl(context)]).toEqual([true, true]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('on this machine only')]]);
});

it.each([
  ['an empty secret', { secret: '' }, /'Secret' is empty/],
  ['a check with the gateway without a credential', { verifyWithGateway: true }, /'Verify With Gateway'/],
])('refuses %s, published or not', (_, options, message) => {
  for (const mode of ['trigger', 'manual']) {
    const { context, staticData } = contextOf(options, mode);
    expect(() => rememberUrl(context)).toThrow(message);
    expect(staticData).toEqual({});
  }
});
