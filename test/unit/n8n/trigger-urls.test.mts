/** Production URLs of triggers, in static data and in the memory of the process. */
import { findUrls, keepUrl, restoreUrl } from '../../../nodes/n8n/trigger-urls.ts';

const KEY = 'messagingGatewayCallbackUrls';
const URL_A = 'https://n8n.example/webhook/a/callback';
const URL_B = 'https://n8n.example/webhook/b/callback?secret=s';
const A = { name: 'A', url: URL_A };

let workflows = 0;
beforeEach(() => {
  workflows += 1;
});

/** The context of a node, in each workflow of its own. */
const nodeOf = (staticData: Record<string, unknown> = {}, id = 'a', workflow: unknown = workflows) =>
  ({
    getNode: () => ({ id, name: id.toUpperCase() }),
    getWorkflow: () => ({ id: workflow }),
    getWorkflowStaticData: () => staticData,
  }) as never;

it('The URL of a trigger is found by the nodes of its workflow, and by no other.', () => {
  const staticData = {};
  expect(keepUrl(nodeOf(staticData), URL_A)).toBe(true);
  expect(findUrls(nodeOf(staticData))).toEqual([A]);
  expect(staticData).toEqual({ [KEY]: { a: A } });
  // n8n passes no static data to a run in the editor.
  expect(findUrls(nodeOf({}))).toEqual([A]);
  expect(findUrls(nodeOf({}, 'a', 'another'))).toEqual([]);
  // A process that didn't publish it.
  expect(findUrls(nodeOf(staticData, 'a', 'another'))).toEqual([A]);
});

it('Several triggers stand beside each other, by name, and each is forgotten alone.', () => {
  const staticData: Record<string, unknown> = {};
  keepUrl(nodeOf(staticData, 'b'), URL_B);
  const { [KEY]: before } = staticData;
  keepUrl(nodeOf(staticData), URL_A);
  // n8n notices changes of the first level only.
  expect(staticData[KEY]).not.toBe(before);
  expect(findUrls(nodeOf(staticData)).map(({ name }) => name)).toEqual(['A', 'B']);
  const old = { ...staticData };
  keepUrl(nodeOf(staticData), undefined);
  expect(findUrls(nodeOf(staticData)).map(({ name }) => name)).toEqual(['B']);
  // Also where an execution brings it back.
  expect(findUrls(nodeOf(old)).map(({ name }) => name)).toEqual(['B']);
  expect(staticData).toEqual({ [KEY]: { b: { name: 'B', url: URL_B } } });
});

it('A URL is new with another name or address, and a process that was started later learns one that is not.', () => {
  const staticData = { [KEY]: { a: { ...A, at: 1 } } };
  expect(keepUrl(nodeOf(staticData), URL_A)).toBe(false);
  expect(staticData).toEqual({ [KEY]: { a: { ...A, at: 1 } } });
  expect(findUrls(nodeOf({}))).toEqual([A]);
  expect(keepUrl(nodeOf(staticData), URL_B)).toBe(true);
  expect(keepUrl(nodeOf({ [KEY]: { a: { ...A, name: 'Other' } } }), URL_A)).toBe(true);
});

it('A call of the trigger mends static data, unless it belongs to a workflow that was published anew or unpublished.', () => {
  const lost: Record<string, unknown> = {};
  expect(restoreUrl(nodeOf(lost), URL_A)).toBe(true);
  expect(lost).toEqual({ [KEY]: { a: A } });
  const { [KEY]: before } = lost;
  expect(restoreUrl(nodeOf(lost), URL_A)).toBe(true);
  expect(lost[KEY]).toBe(before);

  keepUrl(nodeOf(), URL_B);
  const older: Record<string, unknown> = {};
  expect(restoreUrl(nodeOf(older), URL_A)).toBe(false);
  expect(older).toEqual({});
  expect(restoreUrl(nodeOf(older), URL_B)).toBe(true);
  keepUrl(nodeOf(), undefined);
  expect(restoreUrl(nodeOf(), URL_B)).toBe(false);
});

it.each([['text'], [null], [[A]]])('Static data that hold %j are taken for none.', (saved) => {
  expect(keepUrl(nodeOf({ [KEY]: saved }), URL_A)).toBe(true);
  expect(findUrls(nodeOf({ [KEY]: saved }))).toEqual([A]);
});
