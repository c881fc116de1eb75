import type { IDataObject } from 'n8n-workflow';

import type { AgentRunOptions } from '../support/agent.mts';
import { runAgent, TOOL_NAME } from '../support/agent.mts';
import { credentialsFor, PACKAGE_NAME } from '../support/engine.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });

const runTool = async (parameters: IDataObject, calls: IDataObject[], more: Partial<AgentRunOptions> = {}) =>
  await runAgent({ parameters, calls, credentials: credentialsFor(sandbox), ...more });

const SMS = smsForm({
  phone: "={{ $fromAI('phone', 'Number to send to', 'string') }}",
  smsMessage: "={{ $fromAI('text', 'Text of the message', 'string') }}",
});
const CALL = { phone: '+380501234567', text: 'Hello' };
const CONFIRMED = { ...CALL, confirm: true };
const REFUSED = {
  refused: true,
  reason: expect.stringContaining('Nothing was sent'),
  how_to: expect.any(String),
};
/** What an agent is told of a lock that is closed, and what to do. */
const refusedFor = (reason: string, advice: string) => ({
  ...REFUSED,
  reason: expect.stringContaining(reason),
  how_to: expect.stringContaining(advice),
});
const SENT = { id: expect.any(Number), msg_id: expect.any(Number), phone: 380501234567 };

describe('the two locks on a send', () => {
  it.each([
    ['both closed', false, CALL, refusedFor('not allowed', "'Allow Sending'")],
    ['confirmed, but not allowed', false, CONFIRMED, refusedFor('not allowed', "'Allow Sending'")],
    ['allowed, but not confirmed', true, CALL, refusedFor('not confirmed', 'confirm: true')],
    ['both open', true, CONFIRMED, SENT],
  ])('they answer a call that is %s, and only an open one sends', async (_, allowSending, call, answer) => {
    const { answers, error } = await runTool({ ...SMS, allowSending }, [call]);
    expect(error).toBeUndefined();
    expect(answers).toEqual([[expect.objectContaining(answer)]]);
    const sent = answer === SENT ? 1 : 0;
    expect(sandbox.counts()).toMatchObject({ requests: sent, accepted: sent });
  });

  it('are opened by true alone, and for one call only', async () => {
    const confirms = [true, undefined, false, 'true', 'yes', null, 1, { confirm: true }, true];
    const calls = confirms.map((confirm) => ({ ...CALL, confirm }) as IDataObject);
    const { answers } = await runTool({ ...SMS, allowSending: true }, calls);
    expect(answers).toMatchObject([[SENT], ...Array(7).fill([REFUSED]), [SENT]]);
    expect(sandbox.counts()).toMatchObject({ accepted: 2, distinctIds: 2 });
  });

  it.each([
    ['a switch that the agent fills in', { allowSending: "={{ $fromAI('allow', '', 'boolean') }}" }],
    ['a switch as text', { allowSending: 'true' }],
    ['a confirmation that is fixed', { allowSending: true, confirmedByAgent: true }],
    ['a confirmation from elsewhere', { allowSending: true, confirmedByAgent: '={{ true }}' }],
    [
      'the choice of who confirms, by the agent',
      { allowSending: true, confirmation: "={{ $fromAI('who') }}" },
    ],
    ['a choice that is none', { allowSending: true, confirmation: 'Person' }],
  ])('%s opens nothing', async (_, parameters) => {
    const { answers } = await runTool({ ...SMS, ...parameters }, [
      { ...CONFIRMED, allow: true, who: 'agent' },
    ]);
    expect(answers).toEqual([[REFUSED]]);
    expect(sandbox.counts().requests).toBe(0);
  });

  it.each(['sendViber', 'sendRcs', 'sendVoice', 'sendPipeline', 'call'])(
    'are on the operation %s',
    async (operation) => {
      const resource = operation === 'call' ? 'otp' : 'message';
      const { answers } = await runTool({ resource, operation, phone: CALL.phone, allowSending: true }, [
        CALL,
      ]);
      expect(answers).toEqual([[REFUSED]]);
      expect(sandbox.counts().requests).toBe(0);
    },
  );
});

describe.each([
  ['by the engine', false],
  ['in the run of its agent', true],
])('a tool that is run %s', (_, direct) => {
  const item = { confirm: true, allowSending: true, confirmedByAgent: true, ...CALL };

  it('takes neither switch nor confirmation from the data that the agent starts with', async () => {
    const open = { ...SMS, allowSending: true };
    for (const [parameters, call] of [
      [open, CALL],
      [SMS, CONFIRMED],
      [{ ...open, confirmation: 'person' }, CONFIRMED],
    ])
      expect((await runTool(parameters, [call], { direct, item })).answers).toEqual([[REFUSED]]);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('sends once with both locks open, and says in words what is wrong', async () => {
    const calls = [CONFIRMED, { ...CONFIRMED, phone: 'x' }, CONFIRMED];
    const { answers, status } = await runTool({ ...SMS, allowSending: true }, calls, { direct });
    expect(status).toBe('success');
    expect(answers).toMatchObject([[SENT], [{ error: expect.stringContaining("'Phone Number'") }], [SENT]]);
    expect(sandbox.counts()).toMatchObject({ accepted: 2, distinctIds: 2, doubledIds: 0 });
  });

  it('fills in the placeholders of a text, and refuses what the agent left unfilled', async () => {
    const smsMessage = "=Hello {{ $fromAI('name') }}, {{ $fromAI('text').trim() }}";
    const calls = ['Ann', '{{ name }}', ''].map((name) => ({ ...CONFIRMED, name }));
    const { answers } = await runTool({ ...SMS, smsMessage, allowSending: true }, calls, { direct });
    const refused = { error: expect.stringContaining('contains "{{ name }}"') };
    expect(answers).toMatchObject([[SENT], [refused], [SENT]]);
    const texts = sandbox.messages.list().map(({ operation }) => operation.sms_message);
    expect(texts).toEqual(['Hello Ann, Hello', 'Hello , Hello']);
  });
});

describe('calls that an agent makes at once, for each of its items', () => {
  const calls = Array.from({ length: 5 }, (_, n) => ({ phone: `38050123456${n}`, text: `Order ${n}` }));
  const send = { ...SMS, allowSending: true };

  it('have their own numbers, texts and confirmations', async () => {
    const { answers } = await runTool(
      send,
      calls.map((call, n) => ({ ...call, confirm: n !== 2 })),
      { atOnce: true },
    );
    expect(answers).toMatchObject(
      calls.map(({ phone }, n) => [
        n === 2 ? refusedFor('not confirmed', 'confirm: true') : { phone: Number(phone) },
      ]),
    );
    const sent = sandbox.messages
      .list()
      .map(({ phone, operation }) => [Number(phone), operation.sms_message]);
    expect(sent.sort()).toEqual(
      calls.filter((_, n) => n !== 2).map(({ phone, text }) => [Number(phone), text]),
    );
    expect(sandbox.counts()).toMatchObject({ accepted: 4, distinctIds: 4 });
  });

  it.each([
    ['a key', { options: grouped({ sendOnceKey: '={{ $json.text }}-x' }) }],
    ['a text', { smsMessage: '=Hello {{ $json["text"] }}' }],
    ['a number', { phone: "={{ $('Start').item.json.phone }}" }],
  ])('send nothing where %s reads the item, which is the first one for each call', async (_, form) => {
    const confirmed = calls.map((call) => ({ ...call, confirm: true }));
    const { answers } = await runTool({ ...send, ...form }, confirmed, { atOnce: true });
    expect(answers).toEqual(calls.map(() => [refusedFor('reads its item', 'version 3')]));
    expect(sandbox.counts().requests).toBe(0);
    const alone = await runTool({ ...send, ...form }, confirmed.slice(0, 1), { atOnce: true });
    expect(alone.answers).toMatchObject([[{ phone: 380501234560 }]]);
  });
});

describe('confirmation by a person', () => {
  const parameters = { ...SMS, allowSending: true, confirmation: 'person' };

  it('sends what came through the human review', async () => {
    const { answers } = await runTool(parameters, [CALL], { reviewed: true });
    expect(answers).toMatchObject([[SENT]]);
    expect(sandbox.counts().accepted).toBe(1);
  });

  it.each<[string, Partial<AgentRunOptions>]>([
    ['there is no review', {}],
    ['the review was passed by', { pastReview: true }],
    ['another node with the tool is in front', { behindOther: true }],
    ['such a node is in front of one that calls the tool itself', { behindOther: true, direct: true }],
    ['what approves is no human review of n8n', { reviewed: true, reviewType: 'test.reviewer' }],
    [
      'the review passes an approval through that the agent starts with',
      { reviewed: true, passesThrough: true, item: { approved: true } },
    ],
    [
      'the review passes a decision through that the agent starts with',
      { reviewed: true, passesThrough: true, item: { data: { approved: true } } },
    ],
  ])('sends nothing where %s, whatever the agent says', async (_, more) => {
    const { answers } = await runTool(
      parameters,
      [{ ...CONFIRMED, approved: true, toolCallId: 'call-0' }],
      more,
    );
    expect(answers).toEqual([[{ ...REFUSED, reason: expect.stringContaining('a person') }]]);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('still needs the switch of the author', async () => {
    const { answers } = await runTool({ ...parameters, allowSending: false }, [CALL], { reviewed: true });
    expect(answers).toEqual([[REFUSED]]);
    expect(sandbox.counts().requests).toBe(0);
  });
});

it('deletes a template with both locks open alone, and says what of', async () => {
  const create = { resource: 'smsTemplate', operation: 'create', template: 'Hello' };
  const [[{ id }]] = (await runTool(create, [{}])).answers;
  const form = { resource: 'smsTemplate', operation: 'delete', templateId: senderNamed(String(id)) };
  const answers: IDataObject[] = [];
  for (const [allowSending, confirm] of [
    [false, true],
    [true, false],
    [true, true],
  ])
    answers.push((await runTool({ ...form, allowSending }, [{ confirm }])).answers[0][0]);
  expect(answers).toMatchObject([
    {
      reason: expect.stringContaining('Nothing was deleted'),
      how_to: expect.stringContaining("'Allow Deleting'"),
    },
    { refused: true, how_to: expect.stringContaining('Show the user the template') },
    { deleted: true },
  ]);
});

describe('what only reads', () => {
  it('needs no lock', async () => {
    const lookup = { resource: 'number', operation: 'lookup', phone: SMS.phone };
    const looked = await runTool(lookup, [{ phone: '380501234567' }]);
    expect(looked.answers).toMatchObject([[{ phone: 380501234567, type: 'hlr' }]]);
    const balance = await runTool({ resource: 'account', operation: 'getBalance' }, [{}]);
    expect(balance.answers).toEqual([[{ amount: expect.any(Number), currency: 'EUR' }]]);
  });

  it('is cut to a length that a model can take in', async () => {
    const create = { resource: 'smsTemplate', operation: 'create', template: SMS.smsMessage };
    for (let i = 0; i < 12; i++) await runTool(create, [{ text: `${i} ${'x'.repeat(3000)}` }]);
    const { answers } = await runTool({ resource: 'smsTemplate', operation: 'getAll', returnAll: true }, [
      {},
    ]);
    expect(JSON.stringify(answers[0]).length).toBeLessThanOrEqual(12_000);
    const note = expect.stringMatching(/^Only the beginning of the result, which has 3\d{4} characters$/);
    expect(answers[0]).toEqual([{ note, beginning: expect.stringMatching(/^\[\{.*"0 x{1000}/) }]);
  });
});

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('with On Error "%s"', (onError) => {
  it.each<[string, IDataObject, IDataObject, string]>([
    ['bad input', {}, { phone: 'my mother' }, "'Phone Number' is not a phone number: my mother"],
    ['a missing value', {}, { phone: undefined }, "'Phone Number'"],
    ['a code in place of a value', {}, { phone: '{{ $json?.phone }}' }, '{{ $json?.phone }}'],
    ['a refusal', { smsSignature: senderNamed('Unknown') }, {}, 'Error in Alpha-name'],
    ['a broken connection', {}, { text: 'drop' }, 'Unknown whether'],
  ])('%s comes back as text that says what to do', async (_, parameters, call, words) => {
    if (call.text === 'drop') sandbox.faults.add({ kind: 'drop-before', sparesStatus: false });
    const form = { ...SMS, allowSending: true, ...parameters };
    const { answers, status, error } = await runTool(form, [{ ...CONFIRMED, ...call }], {
      settings: { onError },
    });
    expect([status, error]).toEqual(['success', undefined]);
    expect(answers).toMatchObject([[{ success: false, error: expect.stringContaining(words) }]]);
    expect(String(answers[0][0].error).length).toBeGreaterThan(60);
    expect(JSON.stringify(answers)).not.toContain(sandbox.account().key);
  });
});

describe('a human review of this package', () => {
  const ARGS = { phone: '+380501234567', text: 'Helo', fee: '5' };
  const call = { id: 'call-0', tool: TOOL_NAME, arguments: ARGS };
  const edit = (parameter: string, proposed: string, approved: string) => ({
    call: { ...call, texts: { [parameter]: { proposed, approved } } },
  });
  const reviewed = async (decisions: IDataObject[], form: IDataObject = {}) => {
    const { answers, error } = await runTool(
      { ...SMS, allowSending: true, confirmation: 'person', ...form },
      [ARGS],
      { reviewed: true, reviewType: `${PACKAGE_NAME}.messagingGatewayHitlTool`, decisions },
    );
    expect(error).toBeUndefined();
    return answers[0][0];
  };
  const texts = () => sandbox.messages.list().map(({ operation }) => operation.sms_message);

  it('lets through the very call that was approved', async () => {
    expect(await reviewed([{ call }])).toMatchObject(SENT);
    expect(texts()).toEqual(['Helo']);
  });

  it('has the words of the person sent in place of the model’s, and tells the model', async () => {
    const own = 'Hello {{ $json.phone }}, =1+1';
    expect(await reviewed([edit('smsMessage', 'Helo', 'Hello')])).toMatchObject({
      ...SENT,
      edited_by_reviewer: [{ field: 'SMS Text', proposed: 'Helo', approved: 'Hello' }],
    });
    expect(texts()).toEqual(['Hello']);
    // The words are never code: what looks like an expression is refused as in any text.
    expect(await reviewed([edit('smsMessage', 'Helo', own)])).toMatchObject({ success: false });
    expect(texts()).toEqual(['Hello']);
  });

  it('knows its call among those of other turns', async () => {
    const other = {
      call: { ...call, id: 'call-1', texts: { smsMessage: { proposed: 'Helo', approved: 'X' } } },
    };
    const earlier = { call: { ...call, arguments: { ...ARGS, text: 'Y' } } };
    await reviewed([earlier, other, edit('smsMessage', 'Helo', 'Hello')]);
    expect(texts()).toEqual(['Hello']);
  });

  it.each<[what: string, decisions: IDataObject[], form?: IDataObject]>([
    ['of another number', [{ call: { ...call, arguments: { ...ARGS, phone: '+380501234568' } } }]],
    ['of another text', [{ call: { ...call, arguments: { ...ARGS, text: 'Hello' } } }]],
    ['of more arguments', [{ call: { ...call, arguments: { ...ARGS, more: 1 } } }]],
    ['of another call', [{ call: { ...call, id: 'call-9' } }]],
    ['of another tool', [{ call: { ...call, tool: 'Other' } }]],
    ['that names no call', [{}]],
    ['that was declined', [{ data: { approved: false }, call }]],
    ['with an edit of the number', [edit('phone', ARGS.phone, '+380501234568')]],
    ['with an edit of the sender', [edit('smsSignature', 'Helo', 'Other')]],
    ['with an edit of a text that the model never wrote', [edit('smsMessage', 'Other', 'Hello')]],
    ['with two edits of two calls alike', [{ call }, edit('smsMessage', 'Helo', 'Hello')]],
    [
      'with an edit of a text of the author',
      [edit('smsMessage', 'Helo', 'Hello')],
      { smsMessage: "=Fee {{ $fromAI('fee') }}: {{ $fromAI('text') }}" },
    ],
  ])('opens nothing for a decision %s', async (_, decisions, form = {}) => {
    const answer = await reviewed(decisions, form);
    expect(answer).not.toMatchObject(SENT);
    expect(sandbox.counts().requests).toBe(0);
  });
});
