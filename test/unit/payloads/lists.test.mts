import { listEntries } from '../../../nodes/gateway/payloads/lists.ts';
import { readSenders, sendersPayload } from '../../../nodes/gateway/payloads/senders.ts';
import { deletedItem, templateItems } from '../../../nodes/MessagingGateway/sending/templates.ts';

/** An accepted operation whose payload the gateway may shape as it likes: the contract doesn't show it. */
const accepted = (payload: unknown) => ({ sent: { id: 1, type: 'template/list' }, payload });

describe('senders, however the gateway lists them', () => {
  it.each<[string, unknown, unknown]>([
    ['names', ['A', 'B'], [{ name: 'A' }, { name: 'B' }]],
    ['names in a wrapper', { senders: ['A'] }, [{ name: 'A' }]],
    ['names in a wrapper beside other fields', { total: 1, data: ['A'] }, [{ name: 'A' }]],
    [
      'names by channel',
      { sms: ['A'], viber: ['B'] },
      [
        { name: 'A', channel: 'sms' },
        { name: 'B', channel: 'viber' },
      ],
    ],
    ['names of one channel', { viber: ['B'] }, [{ name: 'B', channel: 'viber' }]],
    [
      'objects',
      [
        { name: 'A', channel: 'sms' },
        { signature: 'B', type: 'rcs' },
      ],
      [
        { name: 'A', channel: 'sms' },
        { name: 'B', channel: 'rcs' },
      ],
    ],
    ['objects by channel', { sms: [{ alpha_name: 'A' }] }, [{ name: 'A', channel: 'sms' }]],
    [
      'objects that say another channel than their list',
      { all: [{ name: 'A', service: 'sms' }] },
      [{ name: 'A', channel: 'sms' }],
    ],
    ['objects of which some have no name', [{ name: '', sender: 'A' }, { id: 1 }, null, 5], [{ name: 'A' }]],
    [
      'objects by index',
      { 0: { name: 'A', channel: 'sms' }, 1: { name: 'B' } },
      [{ name: 'A', channel: 'sms' }, { name: 'B' }],
    ],
    ['names by index, with a gap', { 0: 'A', 2: 'B' }, [{ name: 'A' }, { name: 'B' }]],
    ['names by index in a wrapper', { total: 1, senders: { 0: 'A' } }, [{ name: 'A' }]],
    [
      'names by channel, one of them by index',
      { sms: ['A'], viber: { 1: 'B' } },
      [
        { name: 'A', channel: 'sms' },
        { name: 'B', channel: 'viber' },
      ],
    ],
    [
      'names by channel in a wrapper',
      { senders: { sms: ['A'], viber: [{ name: 'B' }] } },
      [
        { name: 'A', channel: 'sms' },
        { name: 'B', channel: 'viber' },
      ],
    ],
    ['names of one channel in a wrapper', { data: { viber: ['B'] } }, [{ name: 'B', channel: 'viber' }]],
    ['names in two wrappers', { data: { senders: ['A'] } }, [{ name: 'A' }]],
    [
      'names in a wrapper beside another object with a list',
      { meta: { tags: ['x'] }, senders: { sms: ['A'] } },
      [{ name: 'A', channel: 'sms' }],
    ],
    [
      'names by channel in an object of another name',
      { account: { sms: ['A'] } },
      [{ name: 'A', channel: 'sms' }],
    ],
    ['an empty list beside an object with a list', { senders: [], meta: { tags: ['x'] } }, []],
    ['a list beside counts by year', { senders: ['A'], sent: { 2024: 5 } }, [{ name: 'A' }]],
    ['lists that are nested deeper', { a: { b: { c: ['A'] } } }, []],
    ['nothing', undefined, []],
    ['null', null, []],
    ['a string', 'A', []],
    ['an object without lists', { amount: 1 }, []],
  ])('%s', (_, payload, senders) => expect(readSenders(payload)).toEqual(senders));
});

it('reads two lists as groups, whatever their names', () => {
  expect(listEntries({ items: [1], data: [2] })).toEqual([
    { entry: 1, group: 'items' },
    { entry: 2, group: 'data' },
  ]);
});

it('takes lists by index as groups', () => {
  expect(listEntries({ 0: ['A'], 1: ['B'] })).toEqual([
    { entry: 'A', group: '0' },
    { entry: 'B', group: '1' },
  ]);
});

it('returns the senders of a payload by index without its indexes', () => {
  expect(sendersPayload({ 0: { name: 'A' } })).toEqual({ senders: [{ name: 'A' }] });
  expect(sendersPayload({ senders: ['A'], total: 1 })).toEqual({ senders: [{ name: 'A' }], total: 1 });
});

describe('templates', () => {
  const payload = { templates: [{ id: '7', text: 'a' }, { id: 8, text: 'b' }, 'c'] };
  const read = (values: Record<string, unknown>) => ({
    index: 0,
    read: (name: string, fallback?: unknown) => values[name] ?? fallback,
  });

  it('are one item each, with a numeric id as a number', () => {
    expect(templateItems(accepted(payload), read({ returnAll: true }))).toEqual([
      { id: 7, text: 'a' },
      { id: 8, text: 'b' },
      { data: 'c' },
    ]);
  });

  it.each<[string, unknown]>([
    ['by index', { 0: { id: '7', text: 'a' }, 1: { id: 8, text: 'b' } }],
    ['by index in a wrapper', { templates: { 1: { id: '7', text: 'a' }, 5: { id: 8, text: 'b' } } }],
    [
      'in two wrappers',
      {
        data: {
          templates: [
            { id: '7', text: 'a' },
            { id: 8, text: 'b' },
          ],
        },
      },
    ],
  ])('are read %s', (_, shaped) => {
    expect(templateItems(accepted(shaped), read({ returnAll: true }))).toEqual([
      { id: 7, text: 'a' },
      { id: 8, text: 'b' },
    ]);
  });

  it.each([
    [2, 2],
    ['2', 2],
    [1.9, 1],
    [1, 1],
    [0, 3],
    [-1, 3],
    ['many', 3],
    [undefined, 3],
  ])('are cut at a limit of %j', (limit, count) => {
    expect(templateItems(accepted(payload), read({ limit }))).toHaveLength(count);
  });

  it('are cut at 50 without a limit', () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ id }));
    expect(templateItems(accepted(many), read({}))).toHaveLength(50);
    expect(templateItems(accepted(many), read({ returnAll: true }))).toHaveLength(60);
  });
});

describe('the number of deleted templates', () => {
  it.each<[unknown, unknown]>([
    [{ deleted: 1 }, { deleted: true, count: 1 }],
    [{ deleted: '2' }, { deleted: true, count: 2 }],
    [{ deleted: 0 }, { deleted: false, count: 0 }],
    [
      { count: 1, id: 7 },
      { id: 7, deleted: true, count: 1 },
    ],
    [1, { data: 1, deleted: true, count: 1 }],
    ['0', { data: '0', deleted: false, count: 0 }],
    // The contract doesn't name the field.
    [
      { removed: 0, id: 7 },
      { id: 7, removed: 0, deleted: false, count: 0 },
    ],
    // The gateway said success, and no number.
    [{}, { deleted: true }],
    [undefined, { deleted: true }],
    [{ deleted: true }, { deleted: true }],
    [{ count: ' ' }, { deleted: true, count: ' ' }],
    [{ count: -1 }, { deleted: true, count: -1 }],
    [{ count: 1.5 }, { deleted: true, count: 1.5 }],
  ])('is read from %j', (payload, item) => expect(deletedItem(accepted(payload))).toEqual([item]));
});
