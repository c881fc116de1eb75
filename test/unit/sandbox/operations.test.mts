import { wireFieldsOf } from '../../../nodes/gateway/contract/operations.ts';
import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { makeAccount } from '../../../sandbox/account.mts';
import { CHANNELS } from '../../../sandbox/operations/channels.mts';
import { OTHER_SHAPES, SEND_SHAPES, VIBER_CONTENT } from '../../../sandbox/operations/fields.mts';
import { operationOf, optionalFields, PHONE, viberTypesOf, WORDS } from '../../support/contract-samples.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { findIssueIn } from '../../support/whole-operations.mts';
import { letTimeRun, pass, stopTime } from '../../support/virtual-time.mts';
import { GOOD, run, runOne } from './client.mts';
import type { Operation } from './client.mts';

const sandbox = testSandbox();

/** Whether the gateway takes an operation. */
const takes = async (operation: Operation) => (await runOne(sandbox, operation)).success;

const LINK = 'https://example.com/a';
const SLIDE = { caption: 'One', image: LINK, url: LINK, button: 'Buy', url2: LINK, button2: 'More' };
const STAGES: Operation = Object.fromEntries(
  Object.entries(CHANNELS).map(([name, { fromText }]) => [name, fromText('1234', 'TestSender')]),
);
const pipeline = (...channels: string[]): Operation => ({
  ...{ type: 'pipeline', id: 1, phone: PHONE, pipeline: channels },
  ...Object.fromEntries(channels.map((channel) => [channel, STAGES[channel]])),
});

/** Good operations of every type with properties, with each kind of content. */
const OPERATIONS: Operation[] = [
  ...Object.values(GOOD),
  ...Object.entries(SEND_SHAPES).flatMap(([type, { fields }]) => {
    const contents = VIBER_CONTENT.filter((name) => name in fields);
    const viberTypes = contents.length > 0 ? viberTypesOf(type) : [];
    return viberTypes.map((viberType) => operationOf(type, viberType, contents));
  }),
  { ...GOOD['viber+sms'], viber_type: 'carousel', viber_carousel: [SLIDE, SLIDE] },
  ...Object.keys(STAGES).map((channel) => pipeline(channel)),
  pipeline(...Object.keys(STAGES).reverse()),
  ...Object.keys(OTHER_SHAPES).map((type) => operationOf(type, '', optionalFields(type))),
];

/** Values that stand in place of each property in turn. */
const VALUES: unknown[] = [
  ...[undefined, null, true, false, '', ' ', 'x', 'video', ...new Set(WORDS), LINK, 'ftp://example.com/'],
  ...['1234', '12345678', '123', '123456789', '12a4', '١٢٣٤', String(PHONE), `+${PHONE}`],
  ...[-1, 0, 1, 1.5, 59, 60, 3599, 3600, 259_200, 259_201, PHONE, 999_999_999_999_999, 1e15],
  ...[2 ** 53 - 1, 2 ** 53, {}, [], [1], ['sms'], ['sms', 'sms'], ['sms', 'pigeon']],
  ...[1, 2, 5, 6].map((count) => Array<unknown>(count).fill(SLIDE)),
];

/** Copies of an object with one property changed, at any depth, each with the path of that. */
function changed(whole: Operation, more: readonly string[] = []): Array<[path: string, Operation]> {
  return [...new Set([...Object.keys(whole), ...more])].flatMap((name) => {
    const part = whole[name];
    const isList = Array.isArray(part) && typeof part[1] === 'object';
    const inner = isList ? (part[1] as unknown) : part;
    const isDeep = typeof inner === 'object' && !Array.isArray(inner);
    return [
      ...VALUES.map((value): [string, Operation] => [name, { ...whole, [name]: value }]),
      ...(isDeep ? changed(inner as Operation) : []).map(([path, value]): [string, Operation] => [
        `${name}.${path}`,
        { ...whole, [name]: isList ? [part[0], value] : value },
      ]),
    ];
  });
}

test('the sandbox and the node, which share no code, read the same contract', async () => {
  const differences = new Set<string>();
  for (const operation of OPERATIONS) {
    const type = operation.type as WireType;
    const optional = wireFieldsOf(type).optional.filter((name) => !(name in STAGES));
    const cases = [['', operation] as const, ...changed(operation, optional)].filter(
      ([path]) => path !== 'type',
    );
    const sent = cases.map(([, one]) => one);
    const { data } = await run(sandbox, sent);
    for (const [i, [path, one]] of cases.entries()) {
      const isRefusedByNode = findIssueIn(type, JSON.parse(JSON.stringify(one)) as Operation) !== undefined;
      const { success, error } = data[i];
      if (success === (typeof error === 'string')) differences.add(`without words: ${path}`);
      if (success && isRefusedByNode) differences.add(`taken: ${path}`);
      if (!success && !isRefusedByNode && error !== 'Error in Alpha-name')
        differences.add(`refused: ${path}`);
    }
  }
  expect([...differences].sort()).toEqual([
    // Too short, and addresses and seconds that make no sense: the contract doesn't say so.
    ...['phone', 'rcs_image', 'rcs_lifetime', 'telegram_lifetime', 'viber_carousel.image', 'viber_image'].map(
      (path) => `taken: ${path}`,
    ),
    'taken: viber_lifetime',
    // It is taken and charged, whatever it lacks.
    ...['whatsapp', 'whatsapp.message', 'whatsapp.signature'].map((path) => `taken: ${path}`),
  ]);
});

test('what the contract does not have is taken and recorded, and what nobody uses too', async () => {
  const undeclared: Array<[Operation, path: string]> = [
    [{ ...GOOD.sms, colour: 'red' }, 'colour'],
    [{ ...GOOD['viber+sms'], viber_carousel: [SLIDE, SLIDE] }, 'viber_carousel'],
    [{ ...GOOD.voice, hook: 'http://127.0.0.1/' }, 'hook'],
    [{ ...pipeline('voice'), voice: { ...(STAGES.voice as object), message: 'Hello' } }, 'voice.message'],
  ];
  for (const [operation, path] of undeclared) {
    expect([path, await takes(operation)]).toEqual([path, true]);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual([`data[0].${path}`]);
  }
  await run(sandbox, [
    { ...GOOD.viber, viber_image: LINK },
    { ...pipeline('sms'), rcs: STAGES.rcs },
  ]);
  const unused = sandbox.messages.list().slice(-2);
  expect(unused.map((message) => message.unused)).toEqual([['viber_image'], ['rcs']]);
});

describe('errors of the contract', () => {
  const REFUSED: Record<string, Operation[]> = {
    'Error in Alpha-name': [
      ...Object.keys(makeAccount().senders).flatMap((channel) => [
        { ...pipeline(channel), [channel]: { ...(STAGES[channel] as object), signature: 'Nobody' } },
        ...(channel in GOOD ? [{ ...GOOD[channel], [`${channel}_signature`]: 'Nobody' }] : []),
      ]),
    ],
    'Invalid message type': ['whatsapp', '', 'toString', undefined, 5].map((type) => ({ ...GOOD.sms, type })),
    'Please enter SMS text': ['', '  ', '🎉🎉', '👍🏽 ❤️'].map((text) => ({ ...GOOD.sms, sms_message: text })),
    'Operator not supported': [{ ...GOOD['call/otp'], phone: 380501230404 }],
    'Message not found': [{ type: 'status', id: 1 }],
  };

  test.each(Object.entries(REFUSED))(
    'an operation is refused in the words of the contract: %s',
    async (error, operations) => {
      const { data } = await run(sandbox, operations);
      expect(data).toEqual(operations.map(() => ({ success: false, error, data: { id: 1 } })));
    },
  );

  test('a prepaid account without money sends nothing', async () => {
    const balance = async () => (await runOne(sandbox, { type: 'balance' })).data.amount as number;
    const before = await balance();
    await runOne(sandbox, GOOD.sms);
    expect(await balance()).toBeCloseTo(before - 0.05, 6);
    const account = sandbox.account();
    Object.assign(account, { prepaid: true, balance: { amount: 0.01, currency: 'EUR' } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Not enough funds');
    Object.assign(account, { prepaid: false, balance: { amount: before, currency: 'EUR' } });
  });

  test.each(['sms', 'call/otp'])('a repeated id of %s is counted, or refused if set so', async (type) => {
    for (const _ of [1, 2]) expect(await takes(GOOD[type])).toBe(true);
    expect(sandbox.messages.doubled()).toEqual([[1, 2]]);
    sandbox.configure({ duplicateIds: 'refuse' });
    expect((await runOne(sandbox, GOOD[type])).error).toBe('Duplicate message id');
    expect(sandbox.messages.acceptances(1)).toBe(2);
    sandbox.configure({ duplicateIds: 'accept' });
  });

  test('links are short or unsubscribe only where the tariff offers it', async () => {
    for (const isOffered of [false, true]) {
      sandbox.account().tariff = { short_link: isOffered, unsubscribe_link: isOffered };
      for (const name of ['short_link', 'unsubscribe_link'])
        expect([name, await takes({ ...GOOD.sms, [name]: true })]).toEqual([name, isOffered]);
    }
  });
});

test('status knows the newest message of an id, of its own account alone', async () => {
  const other = sandbox.addAccount({ key: 'other', name: 'other' });
  const status = async (key?: string) => (await run(sandbox, [{ type: 'status', id: 1 }], key)).data[0];
  await run(sandbox, [GOOD.sms]);
  const { msg_id: newest } = (await runOne(sandbox, GOOD.sms)).data;
  expect((await status()).data.msg_id).toBe(newest);
  expect((await status(other.key)).success).toBe(false);
});

describe('templates', () => {
  const texts = () => sandbox.templates().sms.map(({ text }) => text);

  test('are deleted by exact text, all that match, or by what matches both text and id', async () => {
    const create = async (template: string) => await runOne(sandbox, { type: 'template/create', template });
    const first = await create('Same');
    for (const text of ['Same', 'Same!']) await create(text);
    const remove = async (criteria: object) =>
      await runOne(sandbox, { type: 'template/delete', ...criteria });
    expect((await remove({ id: first.data.id, template: 'Same!' })).data).toEqual({ deleted: 0 });
    expect((await remove({ template: 'Same' })).data).toEqual({ deleted: 2 });
    expect(texts()).toEqual(['Same!']);
    // Neither would delete everything.
    expect(await Promise.all([remove({}), takes({ type: 'template/viber/delete' })])).toMatchObject([
      { success: false },
      false,
    ]);
    const other = sandbox.addAccount({ key: 'other', name: 'other' });
    expect([texts(), sandbox.templates(other.key).sms]).toEqual([['Same!'], []]);
  });

  test('of Viber are moderated before they are approved', async () => {
    stopTime();
    const create = { type: 'template/viber/create', template: 'Sale', signature: 'ViberSender' };
    const { data } = await runOne(sandbox, create);
    expect(data).toEqual({ id: expect.any(Number), status: 'moderation' });
    await pass(2000);
    const approved = { id: data.id, text: 'Sale', signature: 'ViberSender', status: 'approved' };
    expect((await runOne(sandbox, { type: 'template/viber/list' })).data).toEqual({ templates: [approved] });
    letTimeRun();
  });
});
