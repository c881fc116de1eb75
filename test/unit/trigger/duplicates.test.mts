import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { RecentStatuses } from '../../../nodes/gateway/callback/recent.ts';
import { Duplicates } from '../../../nodes/MessagingGatewayTrigger/duplicates.ts';

/** How n8n processes share what they know through static data, of which each call gets a copy. */

let workflow = 0;
beforeEach(() => {
  workflow += 1;
});
afterEach(() => jest.restoreAllMocks());

const call = (staticData: IDataObject) =>
  new Duplicates({
    getWorkflow: () => ({ id: String(workflow) }),
    getNode: () => ({ id: 't' }),
    getWorkflowStaticData: () => staticData,
  } as unknown as IWebhookFunctions);

const events = (id: number) => {
  const parsed = parseCallback({ success: true, id, status: 'DELIVERED' });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events;
};

/** Static data as another process would have left it. */
function leftByAnother(...ids: number[]): IDataObject {
  const recent = new RecentStatuses({ entries: 100, seconds: 60 });
  ids.flatMap(events).forEach((event) => recent.claim(event, Math.floor(Date.now() / 1000)));
  return { recentStatuses: `other ${recent.dump(100)}` };
}

it('knows the statuses that another process started for', () => {
  const duplicates = call(leftByAnother(1));
  expect(duplicates.claim([...events(1), ...events(2)]).map(({ id }) => id)).toEqual([2]);
});

it('reads each state of another process once', () => {
  const load = jest.spyOn(RecentStatuses.prototype, 'load');
  const left = leftByAnother(1);
  for (let i = 0; i < 5; i++) expect(call({ ...left }).withoutKnown(events(1))).toEqual([]);
  expect(load).toHaveBeenCalledTimes(1);
  expect(call(leftByAnother(1, 2)).withoutKnown(events(2))).toEqual([]);
  expect(load).toHaveBeenCalledTimes(2);
});

it('does not read its own state', () => {
  const load = jest.spyOn(RecentStatuses.prototype, 'load');
  const staticData: IDataObject = {};
  const first = call(staticData);
  expect(first.claim(events(1))).toHaveLength(1);
  expect(first.save()).toBe(true);
  expect(call({ ...staticData }).claim(events(1))).toEqual([]);
  expect(load).not.toHaveBeenCalled();
});

it('passes on what it has learnt, and writes at most once a second', () => {
  const staticData = leftByAnother(1);
  const first = call(staticData);
  expect(first.claim(events(2))).toHaveLength(1);
  expect(first.save()).toBe(true);
  const soon = call(staticData);
  expect(soon.save()).toBe(false);
  expect(soon.claim(events(3))).toHaveLength(1);
  expect(soon.save()).toBe(false);
  const { recentStatuses } = staticData;
  workflow += 1;
  const third = call({ recentStatuses: String(recentStatuses).replace(/^\S+/, 'third') });
  expect([1, 2, 3].map((id) => third.withoutKnown(events(id)).length)).toEqual([0, 0, 1]);
});

it.each([[5], [null], [{}], ['']])('starts afresh where static data hold %j', (recentStatuses) => {
  expect(call({ recentStatuses } as IDataObject).claim(events(1))).toHaveLength(1);
});

describe('an execution that n8n is starting', () => {
  const reply = (statusCode: number, writableEnded: boolean) => ({ statusCode, writableEnded });
  function starting(answer: { statusCode: number; writableEnded: boolean }, id = 1) {
    const duplicates = call({});
    const claimed = duplicates.claim(events(id));
    duplicates.follow(answer);
    return claimed.length;
  }

  it('keeps its events while it is being started and afterwards', () => {
    const answer = reply(200, false);
    expect(starting(answer)).toBe(1);
    expect(call({}).claim(events(1))).toEqual([]);
    answer.writableEnded = true;
    expect(call({}).claim(events(1))).toEqual([]);
  });

  it('gives its events up when n8n could not start it', () => {
    const answer = reply(200, false);
    starting(answer);
    Object.assign(answer, reply(500, true));
    expect(starting(reply(200, true))).toBe(1);
    expect(call({}).claim(events(1))).toEqual([]);
  });

  it('is answered first only while n8n can start executions', () => {
    expect(call({}).mayAnswerFirst).toBe(false);
    starting(reply(200, true), 1);
    expect(call({}).mayAnswerFirst).toBe(true);
    starting(reply(503, true), 2);
    expect(call({}).mayAnswerFirst).toBe(false);
    starting(reply(200, true), 3);
    expect(call({}).mayAnswerFirst).toBe(true);
  });

  it('is not followed for ever when its answer never ends', () => {
    const first = reply(200, false);
    starting(first, 1);
    for (let id = 2; id < 1500; id++) starting(reply(200, false), id);
    Object.assign(first, reply(500, true));
    expect(call({}).claim(events(1))).toEqual([]);
  });
});
