import { listEntries, readSenders, sendersPayload } from '../../../nodes/gateway/contract/payloads.ts';
import { lookUpOutput } from '../../../nodes/MessagingGateway/operations/look-up-number.ts';
import { deletedItem, templateItems } from '../../../nodes/MessagingGateway/templates/output.ts';

/** An accepted operation whose payload the gateway may shape as it likes: the contract doesn't show it. */
const accepted = (payload: unknown) => ({
  result: 'sent' as const,
  sent: { id: 1, type: 'template/list' },
  payload,
});

describe('senders, however the gateway lists them', () => {
  const A = { name: 'A' };
  const B = { name: 'B' };
  const SMS = { name: 'A', channel: 'sms' };
  const BOTH = [SMS, { name: 'B', channel: 'viber' }];

  it.each<[string, unknown, unknown]>([
    ['names', ['A', 'B'], [A, B]],
    ['names in a wrapper beside other fields', { total: 1, data: ['A'] }, [A]],
    ['names by channel', { sms: ['A'], viber: ['B'] }, BOTH],
    ['objects', [SMS, { signature: 'B', type: 'viber' }], BOTH],
    ['objects by channel', { sms: [{ alpha_name: 'A' }] }, [SMS]],
    ['objects that say another channel than their list', { all: [{ name: 'A', service: 'sms' }] }, [SMS]],
    ['objects of which some have no name', [{ name: '', sender: 'A' }, { id: 1 }, null, ''], [A]],
    ['short codes as numbers', [4455, { name: 4455 }], [{ name: '4455' }, { name: '4455' }]],
    ['objects by index', { 0: SMS, 1: B }, [SMS, B]],
    ['names by index, with a gap', { 0: 'A', 2: 'B' }, [A, B]],
    ['names by channel, one of them by index', { sms: ['A'], viber: { 1: 'B' } }, BOTH],
    ['names by channel in a wrapper', { senders: { sms: ['A'], viber: [B] } }, BOTH],
    ['names in two wrappers', { data: { senders: ['A'] } }, [A]],
    ['names beside another object with a list', { meta: { tags: ['x'] }, senders: { sms: ['A'] } }, [SMS]],
    ['names by channel in an object of another name', { account: { sms: ['A'] } }, [SMS]],
    ['an empty list beside an object with a list', { senders: [], meta: { tags: ['x'] } }, []],
    ['lists that are nested deeper', { a: { b: { c: ['A'] } } }, []],
    ['nothing', undefined, []],
    ['a string', 'A', []],
    ['an object without lists', { amount: 1 }, []],
  ])('senders are read from %s', (_, payload, senders) => expect(readSenders(payload)).toEqual(senders));
});

it('reads two lists as groups, whatever their names', () => {
  expect(listEntries({ items: ['A'], data: ['B'] })).toEqual([
    { entry: 'A', group: 'items' },
    { entry: 'B', group: 'data' },
  ]);
});

it('returns the senders of a payload by index without its indexes', () => {
  expect(sendersPayload({ 0: { name: 'A' } })).toEqual({ senders: [{ name: 'A' }] });
  expect(sendersPayload({ senders: ['A'], total: 1 })).toEqual({ senders: [{ name: 'A' }], total: 1 });
});

it('keeps what the gateway says of a sender, and what names none as it came', () => {
  const known = { name: 'A', status: 'approved', id: 5 };
  expect(sendersPayload([known, { alpha: 'B' }, true, null])).toEqual({
    senders: [known, { alpha: 'B' }, true, null],
  });
  expect(
    sendersPayload({ sms: [{ signature: 'A' }], viber: [{ name: '', sender: 'B', channel: ['x'] }] }),
  ).toEqual({
    senders: [
      { name: 'A', channel: 'sms', signature: 'A' },
      { name: 'B', channel: ['x'], sender: 'B' },
    ],
    sms: [{ signature: 'A' }],
    viber: [{ name: '', sender: 'B', channel: ['x'] }],
  });
});

describe('templates', () => {
  const TWO = [
    { id: 7, text: 'a' },
    { id: 8, text: 'b' },
  ];
  const payload = { templates: [{ id: '7', text: 'a' }, TWO[1], 'c'] };
  const read = (values: Record<string, unknown>) => ({
    read: (name: string, fallback?: unknown) => values[name] ?? fallback,
  });

  it.each<[string, unknown, object[]]>([
    ['with a numeric id as a number', payload, [...TWO, { data: 'c' }]],
    ['by index in a wrapper', { templates: { 1: TWO[0], 5: TWO[1] } }, TWO],
    ['in two wrappers', { data: { templates: TWO } }, TWO],
  ])('are one item each, %s', (_, shaped, items) => {
    expect(templateItems(read({ returnAll: true }))(accepted(shaped))).toEqual(items);
  });

  it.each<[count: number, ...limits: unknown[]]>([
    [2, 2, '2'],
    [1, 1],
    [3, undefined],
  ])('are %i at a limit of %j', (count, ...limits) => {
    for (const limit of limits)
      expect([limit, templateItems(read({ limit }))(accepted(payload)).length]).toEqual([limit, count]);
  });

  it('are cut at 50 without a limit', () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ id }));
    expect(templateItems(read({}))(accepted(many))).toHaveLength(50);
    for (const returnAll of [true, 'true', 1])
      expect(templateItems(read({ returnAll }))(accepted(many))).toHaveLength(60);
  });
});

describe('the number of deleted templates', () => {
  it.each<[payload: unknown, deleted: boolean, count?: unknown, more?: object]>([
    [{ deleted: 1 }, true, 1],
    [{ deleted: '2' }, true, 2],
    [{ count: 1, id: 7 }, true, 1, { id: 7 }],
    [1, true, 1, { data: 1 }],
    ['0', false, 0, { data: '0' }],
    [{ deleted: true, data: 2 }, true, 2, { data: 2 }],
    // Numbers that may be anything.
    [{ deleted: true, status: 0 }, true, null, { status: 0 }],
    [{ deleted: false, user_id: 55 }, false, null, { user_id: 55 }],
    // The gateway said success, and no number.
    [{}, true, null],
    [undefined, true, null],
    [{ deleted: true }, true, null],
    [{ deleted: false }, false, null],
    [{ count: ' ' }, true, null],
    [{ count: 1.5 }, true, null],
  ])('is read from %j', (...[payload, deleted, count, more]) => {
    const json = { ...more, deleted, count };
    const failed = { state: 'refused', json, error: expect.anything() };
    expect(deletedItem(accepted(payload))).toEqual(deleted ? [json] : failed);
  });
});

describe('a lookup', () => {
  const sent = { id: 7, type: 'hlr', phone: 380501234567 } as const;
  const lookUp = (payload: unknown) => lookUpOutput({ result: 'sent', sent, payload });

  it('keeps all fields that the gateway found, and the id that was sent', () => {
    const payload = { id: '9', type: 'mobile', phone: '380 50 1234567', operator: 'Example Mobile' };
    const own = { reachable: 'yes', country: { name: 'Testland' }, status: 'DELIVERED' };
    expect(lookUp({ ...payload, ...own })).toEqual([{ ...payload, ...own, id: 7 }]);
  });

  const network = { origin: { name: 'Northern' }, ported: { name: 'Southern' } };
  it.each<[reachable: boolean | null, operator: string | null, payload: unknown]>([
    [true, 'Southern', { status: 'DELIVERED', network }],
    [false, 'Northern', { status: 'undelivered', network, ported: false }],
    [false, 'Northern', { status: 'INVALID_DESTINATION_ADDRESS', network: { origin: { name: 'Northern' } } }],
    [false, 'Southern', { status: 'Undeliverable', network: { ported: { name: 'Southern' } } }],
    [true, null, { status: 'DELIVERED', network: { ...network, ported: null }, ported: true }],
    [true, 'Northern', { status: 'DELIVERED', network, ported: '0' }],
    [false, null, { status: 'EXPIRED', network: null }],
    // What says nothing of the phone.
    [null, null, { status: 'REJECTED', network: 'Northern' }],
    [null, null, { status: 'SENT', network: { origin: { name: '' }, ported: { name: 5 } } }],
    [null, null, { status: 7, network: { origin: null } }],
    [null, null, undefined],
  ])('says %j and %j of a phone', (reachable, operator, payload) => {
    expect(lookUp(payload)).toEqual([
      { ...sent, reachable, operator, country: 'UA', ...(payload as object) },
    ]);
  });
});
