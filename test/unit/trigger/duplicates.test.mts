import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { leaveMarks, RecentStatuses } from '../../../nodes/gateway/callback/recent.ts';
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

/** Claims events for a call whose execution n8n has started. */
const started = (duplicates: Duplicates, ...claimed: ReturnType<typeof events>) =>
  duplicates.claim(claimed, { statusCode: 200, writableEnded: true });

/** Static data as another process would have left it. */
function leftByAnother(...ids: number[]): IDataObject {
  const recent = new RecentStatuses({ entries: 100, seconds: 60 });
  const marks = new Map<string, number>();
  ids.flatMap(events).forEach((event) => leaveMarks(event, marks));
  recent.add(marks, Math.floor(Date.now() / 1000));
  return { recentStatuses: `other ${recent.dump(100)}` };
}

it('knows the statuses that another process started for', () => {
  const duplicates = call(leftByAnother(1));
  expect(started(duplicates, ...events(1), ...events(2))?.map(({ id }) => id)).toEqual([2]);
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
  expect(started(call(staticData), ...events(1))).toHaveLength(1);
  call(staticData).save();
  expect(staticData).toHaveProperty('recentStatuses');
  expect(started(call({ ...staticData }), ...events(1))).toEqual([]);
  expect(load).not.toHaveBeenCalled();
});

/** Which of the ids another process knows that reads these static data. */
function knownElsewhere({ recentStatuses }: IDataObject, ids: number[]): number[] {
  const own = workflow;
  workflow += 1_000_000;
  const other = call({ recentStatuses: String(recentStatuses).replace(/^\S+/, 'third') });
  workflow = own;
  return ids.filter((id) => other.withoutKnown(events(id))?.length === 0);
}

it('passes on what it has learnt, and writes at most once a second', () => {
  const staticData = leftByAnother(1);
  started(call(staticData), ...events(2));
  call(staticData).save();
  started(call(staticData), ...events(3));
  const before = staticData.recentStatuses;
  call(staticData).save();
  expect(staticData.recentStatuses).toBe(before);
  expect(knownElsewhere(staticData, [1, 2, 3])).toEqual([1, 2]);
});

it('writes again what another execution has overwritten with older static data', () => {
  const staticData: IDataObject = {};
  started(call(staticData), ...events(1));
  call(staticData).save();
  const { recentStatuses } = staticData;
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
  const older: IDataObject = {};
  call(older).save();
  expect(older).toEqual({ recentStatuses });
});

it('passes on nothing that n8n may fail to start', () => {
  const staticData: IDataObject = {};
  const later = { statusCode: 200, writableEnded: false };
  call(staticData).claim(events(1), later);
  started(call(staticData), ...events(2));
  call(staticData).save();
  expect(knownElsewhere(staticData, [1, 2])).toEqual([2]);
  later.writableEnded = true;
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
  call(staticData).save();
  expect(knownElsewhere(staticData, [1, 2])).toEqual([1, 2]);
});

it.each([[5], [null], [{}], ['']])('starts afresh where static data hold %j', (recentStatuses) => {
  expect(started(call({ recentStatuses } as IDataObject), ...events(1))).toHaveLength(1);
});

describe('an execution that n8n is starting', () => {
  const reply = (statusCode: number, writableEnded: boolean) => ({ statusCode, writableEnded });
  const claim = (answer: { statusCode: number; writableEnded: boolean }, id = 1) =>
    call({}).claim(events(id), answer)?.length;

  it('leaves a repeat of its events open until n8n has answered, and then has it known', () => {
    const answer = reply(200, false);
    expect(claim(answer)).toBe(1);
    expect(call({}).withoutKnown(events(1))).toBeUndefined();
    expect(claim(reply(200, true))).toBeUndefined();
    // Others have nothing to do with it.
    expect(claim(reply(200, true), 2)).toBe(1);
    answer.writableEnded = true;
    expect(claim(reply(200, true))).toBe(0);
  });

  it('leaves an earlier status of its message open as well', () => {
    const read = parseCallback({ success: true, id: 1, status: 'READ' });
    const answer = reply(200, false);
    expect(call({}).claim(read.ok ? read.events : [], answer)).toHaveLength(1);
    expect(call({}).withoutKnown(events(1))).toBeUndefined();
    Object.assign(answer, reply(500, true));
    expect(claim(reply(200, true))).toBe(1);
  });

  it('gives its events up when n8n could not start it', () => {
    const answer = reply(200, false);
    claim(answer);
    Object.assign(answer, reply(500, true));
    expect(claim(reply(200, true))).toBe(1);
    expect(claim(reply(200, true))).toBe(0);
  });

  it('takes nothing of what is known with it when n8n could not start it', () => {
    const read = parseCallback({ success: true, id: 1, status: 'READ' });
    started(call({}), ...events(1));
    const answer = reply(200, false);
    expect(call({}).claim(read.ok ? read.events : [], answer)).toHaveLength(1);
    // Known whatever becomes of the other.
    expect(claim(reply(200, true))).toBe(0);
    Object.assign(answer, reply(500, true));
    expect(claim(reply(200, true))).toBe(0);
    expect(call({}).withoutKnown(read.ok ? read.events : [])).toHaveLength(1);
  });

  it('is refused where n8n is starting a thousand already', () => {
    const replies = Array.from({ length: 1000 }, () => reply(200, false));
    replies.forEach((answer, id) => claim(answer, id));
    expect(claim(reply(200, true), 5000)).toBeUndefined();
    Object.assign(replies[0], reply(500, true));
    expect(claim(reply(200, true), 5000)).toBe(1);
    expect(claim(reply(200, true), 0)).toBe(1);
  });
});
