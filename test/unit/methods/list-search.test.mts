import { listSearch } from '../../../nodes/MessagingGateway/methods/list-search.ts';
import { formContext } from '../../support/contexts.mts';
import { testServer } from '../../support/web-server.mts';

const { searchRcsSenders, searchSmsSenders, searchSmsTemplates, searchStageSenders, searchViberSenders } =
  listSearch;
type Search = typeof searchSmsSenders;

const server = testServer();

const form = (baseUrl = server.url) => formContext({ apiKey: 'key-for-tests', baseUrl });

/** The gateway answers its one operation with this payload. */
const answerWith = (payload: unknown) => {
  const body = JSON.stringify({ success: true, data: [{ success: true, data: payload }] });
  server.answer = (response) => response.setHeader('content-type', 'application/json').end(body);
};

const entries = async (search: Search, payload: unknown, filter?: string) => {
  answerWith(payload);
  return (await search.call(form(), filter)).results;
};
const valuesOf = async (...given: Parameters<typeof entries>) =>
  (await entries(...given)).map(({ value }) => value);

/** Message and description of the error that a list ends with. */
const failureOf = async (search: Search, context = form()) => {
  const error = (await search.call(context).then(
    () => undefined,
    (reason: unknown) => reason,
  )) as { message: string; description: string } | undefined;
  return `${error?.message} | ${error?.description}`;
};

describe('senders', () => {
  it('are offered for their channel, those without one for each', async () => {
    const payload = { sms: ['B', 'A'], viber: ['C'] };
    expect(await valuesOf(searchSmsSenders, payload)).toEqual(['A', 'B']);
    expect(await valuesOf(searchSmsSenders, payload, 'b')).toEqual(['B']);
    expect(await valuesOf(searchViberSenders, payload)).toEqual(['C']);
    // There are none for this channel, so that all of them are offered.
    expect(await valuesOf(searchRcsSenders, payload)).toEqual(['A', 'B', 'C']);
    const mixed = { 0: { name: 'A', type: 'SMS' }, 1: { name: 'C', channel: 'viber_business' }, 2: 'B' };
    expect(await valuesOf(searchViberSenders, mixed)).toEqual(['B', 'C']);
    const inside = {
      0: { name: 'A', type: 'RCS' },
      1: { name: 'B', type: 'mrcs' },
      2: { name: 'C', type: 'rcsNames' },
    };
    expect(await valuesOf(searchRcsSenders, inside)).toEqual(['A', 'C']);
  });

  it('show the channels for which they are listed', async () => {
    const payload = { sms: ['A', 'B'], viber: ['A'], other_channel: ['C'] };
    const both = ['A (SMS, Viber)', 'B (SMS)'].map((name) => ({ name, value: name[0] }));
    expect(await entries(searchSmsSenders, payload)).toEqual(both);
    const other = { name: 'C (other_channel)', value: 'C' };
    expect(await entries(searchRcsSenders, payload)).toEqual([...both, other]);
  });

  it.each([
    [0, ['C']],
    [1, ['A', 'B']],
    // Saved without its channel, which is SMS unless another was chosen: n8n leaves defaults out.
    [2, ['A', 'B']],
  ])('of a stage are those of the channel that is chosen beside it (stage %i)', async (stage, names) => {
    answerWith({ sms: ['B', 'A'], viber: ['C'] });
    const stages = [{ channel: 'viber' }, { channel: 'sms' }, {}];
    const context = formContext(
      { apiKey: 'key-for-tests', baseUrl: server.url },
      `pipeline.stages[${stage}].signature`,
      { pipeline: { stages } },
    );
    const { results } = await searchStageSenders.call(context);
    expect(results.map(({ value }) => value)).toEqual(names);
  });

  it('are said to be missing where there are none', async () => {
    const missing = [{ name: 'No sender name is approved for this account', value: '' }];
    for (const payload of [null, [], {}, { senders: [] }, { sms: [], viber: [] }, { count: 0 }]) {
      for (const filter of [undefined, 'shop']) {
        expect([payload, await entries(searchSmsSenders, payload, filter)]).toEqual([payload, missing]);
      }
    }
  });

  it.each([['TestSender'], [{ approved: { name: 'TestSender' } }]])(
    'are not said to be missing where they can not be read: %j',
    async (payload) => {
      expect(await entries(searchSmsSenders, payload)).toEqual([
        { name: expect.stringContaining("can't be read: choose 'Name'"), value: '' },
      ]);
    },
  );
});

it('offers templates with their id', async () => {
  const payload = { templates: [{ id: 7, name: 'Code' }] };
  expect(await entries(searchSmsTemplates, payload)).toEqual([{ name: 'Code (7)', value: '7' }]);
});

describe('a list that the gateway does not give', () => {
  it('is asked for once, and ends with what became of the question', async () => {
    server.answer = (response) => response.writeHead(429, { 'retry-after': '0' }).end();
    const failure = await failureOf(searchSmsSenders);
    expect(failure).toContain('HTTP 429');
    expect(failure).not.toMatch(/undefined|Nothing was sent/);
    expect(server.received).toHaveLength(1);
  });

  it('names the address that is missing in the credential, and asks nobody', async () => {
    expect(await failureOf(searchSmsSenders, form(''))).toContain("'API Address' of the credential is empty");
    expect(server.received).toEqual([]);
  });
});
