import type { ILoadOptionsFunctions, INode } from 'n8n-workflow';

import {
  searchRcsSenders,
  searchSmsSenders,
  searchSmsTemplates,
  searchViberSenders,
} from '../../../nodes/MessagingGateway/methods/list-search.ts';

/** What a form gives to its lists; the gateway answers its one operation with `payload`. */
const form = (payload: unknown) =>
  ({
    getNode: () => ({ name: 'Gateway' }) as INode,
    getCredentials: async () =>
      await Promise.resolve({ apiKey: 'key', baseUrl: 'https://gateway.example.com' }),
    helpers: {
      httpRequestWithAuthentication: async () =>
        await Promise.resolve({
          statusCode: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ success: true, data: [{ success: true, data: payload }] }),
        }),
    },
  }) as unknown as ILoadOptionsFunctions;

const namesOf = async (search: typeof searchSmsSenders, payload: unknown, filter?: string) =>
  (await search.call(form(payload), filter)).results.map(({ name }) => name);

describe('senders', () => {
  it.each<[string, unknown]>([
    ['by channel', { sms: ['B', 'A'], viber: ['C'] }],
    ['by channel in a wrapper', { senders: { sms: ['B', 'A'], viber: ['C'] } }],
    ['by channel and index', { senders: { sms: { 0: 'B', 2: 'A' }, viber: { 1: 'C' } } }],
    [
      'by index, with their channel',
      {
        0: { name: 'B', channel: 'sms' },
        1: { name: 'A', type: 'SMS' },
        2: { name: 'C', channel: 'viber_business' },
      },
    ],
  ])('%s are offered for their channel', async (_, payload) => {
    expect(await namesOf(searchSmsSenders, payload)).toEqual(['A', 'B']);
    expect(await namesOf(searchSmsSenders, payload, 'b')).toEqual(['B']);
    expect(await namesOf(searchViberSenders, payload)).toEqual(['C']);
    // There are none for this channel, so that all of them are offered.
    expect(await namesOf(searchRcsSenders, payload)).toEqual(['A', 'B', 'C']);
  });

  it('by index without a channel are offered for each', async () => {
    expect(await namesOf(searchRcsSenders, { 0: 'B', 1: 'A' })).toEqual(['A', 'B']);
  });
});

it.each<[string, unknown]>([
  ['in a wrapper', { templates: [{ id: 7, name: 'Code' }] }],
  ['by index', { 0: { id: 7, name: 'Code' } }],
  ['in two wrappers', { data: { templates: [{ id: 7, name: 'Code' }] } }],
])('offers templates %s', async (_, payload) => {
  expect(await searchSmsTemplates.call(form(payload))).toEqual({
    results: [{ name: 'Code (7)', value: '7' }],
  });
});
