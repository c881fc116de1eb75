import type { IDataObject, IHookFunctions, INodeParameters } from 'n8n-workflow';
import { NodeHelpers, NodeOperationError } from 'n8n-workflow';

import { properties } from '../../../nodes/MessagingGatewayTrigger/properties.ts';
import { readTriggerSettings } from '../../../nodes/MessagingGatewayTrigger/settings.ts';

const OUTCOMES = ['delivered', 'failed', 'read', 'replied'];

/** Reads parameters as n8n resolves them; `added` are the options in the workflow, with their expressions. */
function read(parameters: IDataObject, added?: unknown, node: object = {}) {
  const all: IDataObject = { outcomes: OUTCOMES, channels: [], options: {}, ...parameters };
  try {
    return readTriggerSettings({
      getNode: () => ({
        name: 'Trigger',
        ...node,
        parameters: { options: added === undefined ? all.options : added },
      }),
      getNodeParameter: (name: string) => all[name],
    } as unknown as IHookFunctions);
  } catch (error) {
    const [, message, advice] = /^(.+?)\. (.+)$/.exec((error as NodeOperationError).message) ?? [];
    return { message, advice };
  }
}

it('removes duplicates and splits replies unless they are turned off', () => {
  expect(read({})).toEqual({
    outcomes: OUTCOMES,
    channels: [],
    secret: undefined,
    allowedRanges: undefined,
    forAgents: false,
    removeDuplicates: true,
    splitReplies: true,
    verifyWithGateway: false,
  });
  expect(read({ options: { removeDuplicates: false, splitReplies: false } })).toMatchObject({
    removeDuplicates: false,
    splitReplies: false,
  });
  // $vars are text.
  expect(read({ options: { removeDuplicates: 'false', splitReplies: 'true' } })).toMatchObject({
    removeDuplicates: false,
    splitReplies: true,
  });
});

it('reads stop words as a list or as text, and refuses an option without any', () => {
  const wordsOf = (stopWords: unknown) =>
    (read({ options: { stopWords } }) as { stopWords?: Set<string> }).stopWords;
  expect(wordsOf('STOP, Ende;\n 9')).toEqual(new Set(['stop', 'ende', '9']));
  expect(wordsOf(['STOP', 9])).toEqual(new Set(['stop', '9']));
  for (const nothing of [undefined, null, '', ' , ', [], {}, true])
    expect(read({ options: { stopWords: nothing } })).toMatchObject({
      message: expect.stringMatching(/^'Stop Words' (is empty|has no usable value)$/),
    });
});

const UNUSABLE = [undefined, null, 5, true, [], ['s'], {}, ''];
const NEITHER = [undefined, null, '', 'perhaps', 2, []];

it.each<[string, string, unknown[], advice?: string]>([
  ['options.secret', 'Secret', UNUSABLE, 'remove the option'],
  ['options.allowedIps', 'Allowed IP Addresses', UNUSABLE, 'remove the option'],
  ['options.verifyWithGateway', 'Verify With Gateway', NEITHER, 'remove the option'],
  ['options.forAgents', 'For AI Agents', NEITHER, 'remove the option'],
  ['options.removeDuplicates', 'Remove Duplicates', NEITHER, 'remove the option'],
  ['options.splitReplies', 'Split Replies', NEITHER, 'remove the option'],
  ['outcomes', 'Trigger On', [undefined, null, [], 'delivered', ['delivered', 5], ['lost'], {}]],
  ['channels', 'Channels', [undefined, null, 'sms', [1], ['pigeon']]],
])('%s that can not be used is a problem', (name, label, values, advice = '') => {
  const [first, second] = name.split('.');
  const message = expect.stringMatching(`'${label}' (is|has|contains)`) as unknown;
  const problem = { message, advice: expect.stringContaining(advice) as unknown };
  for (const value of values) {
    const parameters = { [first]: (second ? { [second]: value } : value) as IDataObject };
    expect([value, read(parameters)]).toMatchObject([value, problem]);
  }
});

it('refuses a secret that would be masked in ordinary words, and takes one of eight characters', () => {
  expect(read({ options: { secret: 'seven77' } })).toEqual({
    message: "'Secret' has only 7 of at least 8 characters",
    advice: 'Enter a longer one, such as 32 random letters and digits, or remove the option.',
  });
  expect(read({ options: { secret: 'eight888' } })).toMatchObject({ secret: 'eight888' });
});

it.each(['secret', 'allowedIps'])(
  '%s is a problem where its expression resolves to undefined and n8n leaves it out',
  (name) => {
    expect(read({ options: {} }, { [name]: '={{ $vars.missing }}' })).toHaveProperty('message');
  },
);

it.each([
  ['verifyWithGateway', 'Verify With Gateway'],
  ['forAgents', 'For AI Agents'],
])('%s is a problem without a credential, unless it is off', (name, label) => {
  expect(read({ options: { secret: 'long enough', [name]: true } })).toEqual({
    message: `'${label}' needs a credential`,
    advice: 'Choose the credential of the gateway, or remove the option.',
  });
  expect(read({ options: { [name]: false } })).toMatchObject({ [name]: false });
});

it('keeps Verify With Gateway from being turned on where anybody could have the gateway asked', () => {
  const withCredential = { credentials: { messagingGatewayApi: { id: '1', name: 'c' } } };
  const options = { verifyWithGateway: true };
  expect(read({ options }, undefined, withCredential)).toMatchObject({
    message: "'Verify With Gateway' needs 'Secret' or 'Allowed IP Addresses'",
  });
  for (const guard of [{ secret: 'long enough' }, { allowedIps: '192.0.2.1' }])
    expect(read({ options: { ...options, ...guard } }, undefined, withCredential)).toMatchObject(options);
});

it('says in the panel that nobody is kept out, until there is a guard', () => {
  const notice = properties.find(({ name }) => name === 'guardNotice')!;
  const shown = (options: INodeParameters) =>
    NodeHelpers.displayParameter({ options }, notice, { typeVersion: 1.1 }, { properties } as never);
  const unguarded: INodeParameters[] = [{}, { secret: '' }, { verifyWithGateway: true }];
  const guarded = [{ secret: 'x' }, { secret: '={{ $vars.x }}' }, { allowedIps: '192.0.2.1' }];
  expect([unguarded.map(shown), guarded.map(shown)]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

it('reads an address list', () => {
  const options = { allowedIps: ' 192.0.2.1, 2001:db8::/32 ,' };
  expect(read({ options })).toMatchObject({ allowedRanges: [{ bits: 128 }, { bits: 32 }] });
  expect(read({ options: { allowedIps: '192.0.2.1, everybody' } })).toMatchObject({
    message: expect.stringContaining('everybody'),
  });
  expect(read({ options: { allowedIps: ' , ' } })).toHaveProperty('message');
});
