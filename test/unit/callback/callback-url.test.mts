/** Production URLs of triggers, in static data and in the memory of the process; secrets in addresses. */
import type { TriggerMemory } from '../../../nodes/gateway/callback/callback-url.ts';
import {
  dropCallbackUrl,
  findCallbackUrls,
  keepCallbackUrl,
  restoreCallbackUrl,
  SECRET_PARAMETER,
  SENT_TYPE_PARAMETER,
  withoutSecret,
  withSentType,
} from '../../../nodes/gateway/callback/callback-url.ts';

const KEY = 'messagingGatewayCallbackUrls';
const OLD_KEY = 'messagingGatewayCallbackUrl';
const URL_A = 'https://n8n.example/webhook/a/callback';
const URL_B = 'https://n8n.example/webhook/b/callback?secret=s';
const A = { name: 'A', url: URL_A };
const B = { name: 'B', url: URL_B };

let workflows = 0;
let now = 1_700_000_000_000;

beforeEach(() => {
  workflows += 1;
  jest.spyOn(Date, 'now').mockImplementation(() => (now += 1));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const memoryOf = (staticData: Record<string, unknown> = {}, nodeId = 'a'): TriggerMemory => ({
  staticData,
  workflowId: `w${workflows}`,
  nodeId,
});
const found = (memory: Omit<TriggerMemory, 'nodeId'>) => findCallbackUrls(memory);
const stored = (name: string, url: unknown, at: unknown = 1) => ({ name, url, at });

describe('the URL of a trigger', () => {
  it('is found by the nodes of its workflow, and by no other', () => {
    const memory = memoryOf();
    keepCallbackUrl(memory, A);
    expect(found(memory)).toEqual([A]);
    expect(memory.staticData).toEqual({ [KEY]: { a: { ...A, at: now } } });
    expect(found({ staticData: {}, workflowId: 'other' })).toEqual([]);
    expect(found({ staticData: memory.staticData, workflowId: undefined })).toEqual([A]);
  });

  it('is found in a run without static data, in the process that published it', () => {
    keepCallbackUrl(memoryOf(), A);
    expect(found({ staticData: {}, workflowId: `w${workflows}` })).toEqual([A]);
    const unsaved = { ...memoryOf(), workflowId: undefined };
    keepCallbackUrl(unsaved, A);
    expect(found({ staticData: {}, workflowId: undefined })).toEqual([]);
  });

  it('stands beside those of other triggers, by name', () => {
    const staticData = {};
    keepCallbackUrl(memoryOf(staticData, 'b'), B);
    keepCallbackUrl(memoryOf(staticData), A);
    expect(found(memoryOf(staticData))).toEqual([A, B]);
    expect(Object.keys((staticData as Record<string, object>)[KEY])).toEqual(['b', 'a']);
  });

  it('is written as a new object, so that n8n notices', () => {
    const staticData: Record<string, unknown> = {};
    keepCallbackUrl(memoryOf(staticData), A);
    const { [KEY]: before } = staticData;
    keepCallbackUrl(memoryOf(staticData), { ...A, url: URL_B });
    expect(staticData[KEY]).not.toBe(before);
    expect(found(memoryOf(staticData))).toEqual([{ ...A, url: URL_B }]);
  });

  it('counts where it is newer: that of the process, unless static data have a later one', () => {
    const memory = memoryOf();
    keepCallbackUrl(memory, A);
    const older = { [KEY]: { a: stored('Old', URL_B, 1) } };
    expect(found({ ...memory, staticData: older })).toEqual([A]);
    const newer = { [KEY]: { a: stored('New', URL_B, now + 10) } };
    expect(found({ ...memory, staticData: newer })).toEqual([{ name: 'New', url: URL_B }]);
    const same = { [KEY]: { a: stored('Same', URL_B, now) } };
    expect(found({ ...memory, staticData: same })).toEqual([A]);
  });
});

describe('whether a URL is new', () => {
  it('depends on URL and name, and teaches a new process', () => {
    const staticData = { [KEY]: { a: stored('A', URL_A) } };
    const memory = memoryOf(staticData);
    expect(keepCallbackUrl(memory, A)).toBe(false);
    expect(memory.staticData).toBe(staticData);
    expect(staticData).toEqual({ [KEY]: { a: stored('A', URL_A) } });
    expect(found({ ...memory, staticData: {} })).toEqual([A]);
    expect(keepCallbackUrl(memory, { ...A, name: 'Other' })).toBe(true);
    expect(keepCallbackUrl(memory, { ...A, url: URL_B })).toBe(true);
    expect(keepCallbackUrl({ ...memory, nodeId: 'b' }, A)).toBe(true);
  });
});

describe('a call of the trigger', () => {
  it('writes the URL back to static data that lack it', () => {
    const memory = memoryOf();
    expect(restoreCallbackUrl(memory, A)).toBe(true);
    expect(found({ ...memory, workflowId: undefined })).toEqual([A]);
    const { [KEY]: before } = memory.staticData;
    expect(restoreCallbackUrl(memory, A)).toBe(true);
    expect(memory.staticData[KEY]).toBe(before);
  });

  it('also where static data have another, unless the process knows that it is not this one any more', () => {
    const memory = memoryOf({ [KEY]: { a: stored('A', URL_B) } });
    expect(restoreCallbackUrl(memory, A)).toBe(true);
    expect(found({ ...memory, workflowId: undefined })).toEqual([A]);
    keepCallbackUrl(memory, { ...A, url: URL_B });
    const old = { ...memory, staticData: {} };
    expect(restoreCallbackUrl(old, A)).toBe(false);
    expect(old.staticData).toEqual({});
    expect(restoreCallbackUrl(old, { ...A, url: URL_B })).toBe(true);
    dropCallbackUrl(memory, URL_B);
    expect(restoreCallbackUrl(old, { ...A, url: URL_B })).toBe(false);
    const unsaved = { ...memoryOf(), workflowId: undefined };
    expect(restoreCallbackUrl(unsaved, A)).toBe(true);
  });
});

describe('a trigger that is no longer published', () => {
  it('is forgotten, and no other', () => {
    const staticData = {};
    keepCallbackUrl(memoryOf(staticData), A);
    keepCallbackUrl(memoryOf(staticData, 'b'), B);
    dropCallbackUrl(memoryOf(staticData), URL_A);
    expect(found(memoryOf(staticData))).toEqual([B]);
    expect(staticData).toEqual({ [KEY]: { b: { ...B, at: expect.any(Number) as number } } });
    dropCallbackUrl(memoryOf(staticData, 'b'), undefined);
    expect(found(memoryOf(staticData))).toEqual([]);
    expect(staticData).toEqual({});
  });

  it('stays forgotten where an execution brings its URL back', () => {
    const memory = memoryOf();
    keepCallbackUrl(memory, A);
    const old = { ...memory.staticData };
    dropCallbackUrl(memory, URL_A);
    expect(found({ ...memory, staticData: old })).toEqual([]);
  });
});

describe('what version 0.1.0 stored', () => {
  const OLD = 'https://n8n.example/webhook/old/callback';

  it('is found without a name, where no trigger has the place', () => {
    expect(found(memoryOf({ [OLD_KEY]: OLD }))).toEqual([{ name: '', url: OLD }]);
    const staticData = {
      [OLD_KEY]: `${OLD}?secret=s`,
      [KEY]: { a: stored('A', `${OLD}?secret=t`), b: stored('B', URL_B) },
    };
    expect(found(memoryOf(staticData))).toEqual([{ name: 'A', url: `${OLD}?secret=t` }, B]);
  });

  it.each([[''], [5], [null], [{}]])('is nothing where it is %j', (old) => {
    expect(found(memoryOf({ [OLD_KEY]: old }))).toEqual([]);
    const staticData = { [OLD_KEY]: old };
    keepCallbackUrl(memoryOf(staticData), A);
    expect(staticData[OLD_KEY]).toEqual(old);
  });

  it('is removed with the trigger that it was of, and not with others', () => {
    for (const change of [
      (memory: TriggerMemory) => keepCallbackUrl(memory, { name: 'A', url: `${OLD}?secret=s` }),
      (memory: TriggerMemory) => dropCallbackUrl(memory, `${OLD}?secret=s`),
    ]) {
      const memory = memoryOf({ [OLD_KEY]: OLD });
      change(memory);
      expect(memory.staticData).not.toHaveProperty(OLD_KEY);
    }
    for (const change of [
      (memory: TriggerMemory) => keepCallbackUrl(memory, A),
      (memory: TriggerMemory) => dropCallbackUrl(memory, URL_A),
      (memory: TriggerMemory) => dropCallbackUrl(memory, undefined),
    ]) {
      const memory = memoryOf({ [OLD_KEY]: OLD });
      change(memory);
      expect(memory.staticData[OLD_KEY]).toBe(OLD);
    }
  });
});

it.each([
  ['text'],
  [[stored('A', URL_A)]],
  [{ a: 'text' }],
  [{ a: stored('A', '') }],
  [{ a: stored('A', 5) }],
  [{ a: { url: URL_A, at: 1 } }],
  [{ a: stored('A', URL_A, 'now') }],
])('static data that hold %j are taken for none', (saved) => {
  expect(found(memoryOf({ [KEY]: saved }))).toEqual([]);
});

it('adds the operation type to addresses of sends with a fallback', () => {
  expect(withSentType(URL_A, 'sms')).toBe(URL_A);
  expect(withSentType(URL_B, 'viber+sms')).toBe(`${URL_B}&${SENT_TYPE_PARAMETER}=viber%2Bsms`);
});

it.each([
  [`${URL_A}?${SECRET_PARAMETER}=abc`, `${URL_A}?secret=***`],
  ['see https://a/b?x=1&Secret=abc#top and', 'see https://a/b?x=1&Secret=***#top and'],
  ['"https://a?secret=a b" https://c?secret=d&e=f', '"https://a?secret=*** b" https://c?secret=***&e=f'],
  ['https://a?secret="x', 'https://a?secret=***"x'],
  ['https://a?nosecret=abc secret=abc', 'https://a?nosecret=abc secret=abc'],
])('hides the secret in %j', (text, hidden) => expect(withoutSecret(text)).toBe(hidden));
