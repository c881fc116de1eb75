/** "Allowed Number Prefixes" of the credential: what sends or looks up obeys it, and nothing leaves otherwise. */
import type { GenericValue, IDataObject, OnError } from 'n8n-workflow';

import { CREDENTIAL, credentialsFor, runNode } from '../support/engine.mts';
import { namedForms } from '../support/operation-cases.mts';
import { approvalForm } from '../support/approval.mts';
import { sendForm } from '../support/otp.mts';
import { sentTo } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const ALLOWED = '447700900001';
const FORBIDDEN = '380501234567';

const run = async (
  parameters: IDataObject,
  phones: string[],
  allowedPrefixes: GenericValue = '48, +44 77',
  onError: OnError = 'continueRegularOutput',
) => {
  const credentials = credentialsFor(sandbox);
  Object.assign(credentials[CREDENTIAL], { allowedPrefixes });
  const items = phones.map((phone, id) => ({ phone, id }));
  return await runNode({ parameters, items, credentials, onError });
};

it.each(namedForms(({ target }) => target === 'id and phone', sendForm()))(
  '%s takes what is allowed and refuses the rest',
  async (_, parameters) => {
    const { json } = await run(parameters, [FORBIDDEN, ALLOWED]);
    expect(json[0].error).toBe(
      "'Phone Number' isn't among the 'Allowed Number Prefixes' of the credential: 380501234567",
    );
    expect(json[0].what_to_do).toBe('Row 1: use a number that starts with 48, 4477');
    expect(json[1].error).toBeUndefined();
    expect(sentTo(sandbox).map(({ phone }) => String(phone))).toEqual([ALLOWED]);
  },
);

const callTool = (args: object, confirm: boolean, value = 'send_sms') => ({
  resource: 'assistant',
  operation: 'callTool',
  tool: { __rl: true, mode: 'name', value },
  arguments: JSON.stringify(args),
  confirm,
});

it.each([
  ['a code', sendForm()],
  ['a question', approvalForm()],
  ['a call of a tool, whatever its arguments', callTool({ text: 'Hi' }, true)],
])('lets %s go nowhere where the list can not be read', async (_, parameters) => {
  const { json } = await run(parameters, [ALLOWED], '48, all');
  expect(json[0].error).toContain(
    "'Allowed Number Prefixes' of the credential must be a list of number prefixes",
  );
  expect(sandbox.counts().requests).toBe(0);
});

it.each([true, {}])('sends nothing where an expression of the list comes to %j', async (list) => {
  const { json } = await run(sendForm(), [ALLOWED], list);
  expect(json[0].error).toContain(
    "'Allowed Number Prefixes' of the credential must be a list of number prefixes",
  );
  expect(sandbox.counts().requests).toBe(0);
});

it('holds for each person who is asked for approval', async () => {
  const question = approvalForm({ phone: `+${ALLOWED}, 00 44 7700 900002, ${FORBIDDEN}` });
  const { error } = await run(question, [''], undefined, 'stopWorkflow');
  expect(error?.message).toContain(
    "'Phone Number' isn't among the 'Allowed Number Prefixes' of the credential",
  );
  expect(sandbox.counts().requests).toBe(0);
  await run(question, ['']);
  expect(sentTo(sandbox).map(({ phone }) => phone)).toEqual([Number(ALLOWED), 447700900002]);
});

it('lets any number pass where the list is empty', async () => {
  expect((await run(sendForm(), [FORBIDDEN], ' ')).json[0]).toHaveProperty('challenge');
});

it('holds for the recipients of a tool of the connector, and for what such a tool looks up', async () => {
  const text = { text: `Order ${FORBIDDEN} is ready`, sender: 'TestSender' };
  const errors: unknown[] = [];
  for (const form of [
    callTool({ phone: [ALLOWED, FORBIDDEN], ...text }, true),
    callTool({ phone: FORBIDDEN }, false, 'lookup_number'),
    callTool(text, true),
    callTool({ phone: Number(ALLOWED), ...text }, true),
    callTool({ phone: Number(ALLOWED) }, false, 'lookup_number'),
    callTool({}, true, 'balance'),
  ])
    errors.push((await run(form, [''])).json[0].error);
  const forbidden = `"phone" in 'Arguments' isn't among the 'Allowed Number Prefixes' of the credential: ${FORBIDDEN}`;
  const nowhere = 'The tool "send_sms" was not called';
  expect(errors).toEqual([
    forbidden,
    forbidden,
    nowhere,
    expect.stringContaining(`"text" in 'Arguments' may hold a phone number`),
    undefined,
    undefined,
  ]);
});
