/** Production URLs of triggers, in static data and in the memory of the process. */
import { findUrls, keepUrl, restoreUrl } from '../../../nodes/n8n/trigger-urls.ts';

const KEY = 'messagingGatewayCallbackUrls';
const URL_A = 'https://n8n.example/webhook/a/callback';
const URL_B = 'https://n8n.example/webhook/b/callback?secret=s';
const BARE_B = 'https://n8n.example/webhook/b/callback';
const A = { name: 'A', url: URL_A };
const instanceId = 'here';
const SAVED_A = { ...A, instanceId };

let workflows = 0;
beforeEach(() => {
  workflows += 1;
});

/** The context of a node, in each workflow of its own. */
const nodeOf = (staticData: Record<string, unknown> = {}, id = 'a', workflow: unknown = workflows) =>
  ({
    getNode: () => ({ id, name: id.toUpperCase() }),
    getWorkflow: () => ({ id: workflow }),
    getInstanceId: () => instanceId,
    getMode: () => 'manual',
    getWorkflowStaticData: () => staticData,
  }) as never;

it('The URL of a trigger is found by the nodes of its workflow, and by no other.', () => {
  const staticData = {};
  expect(keepUrl(nodeOf(staticData), URL_A)).toBe(true);
  expect(findUrls(nodeOf(staticData))).toEqual([A]);
  expect(staticData).toEqual({ [KEY]: { a: SAVED_A } });
  // n8n passes no static data to a run in the editor.
  expect(findUrls(nodeOf({}))).toEqual([A]);
  expect(findUrls(nodeOf({}, 'a', 'another'))).toEqual([]);
  // A process that didn't publish it.
  expect(findUrls(nodeOf(staticData, 'a', 'another'))).toEqual([A]);
});

it('What a trigger of another n8n left, from which the workflow was brought, is none of this one.', () => {
  const brought = { [KEY]: { a: { ...A, instanceId: 'there' }, c: { ...A, name: 'C' } } };
  expect(findUrls(nodeOf(brought))).toEqual([]);
  expect(keepUrl(nodeOf(brought, 'b'), URL_B)).toBe(true);
  expect(brought).toEqual({ [KEY]: { b: { name: 'B', url: BARE_B, hasSecret: true, instanceId } } });
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
  expect(staticData).toEqual({ [KEY]: { b: { name: 'B', url: BARE_B, hasSecret: true, instanceId } } });
});

it('A URL is new with another name or address, and a process that was started later learns one that is not.', () => {
  const staticData = { [KEY]: { a: { ...SAVED_A, at: 1 } } };
  expect(keepUrl(nodeOf(staticData), URL_A)).toBe(false);
  expect(staticData).toEqual({ [KEY]: { a: { ...SAVED_A, at: 1 } } });
  expect(findUrls(nodeOf({}))).toEqual([A]);
  expect(keepUrl(nodeOf(staticData), URL_B)).toBe(true);
  expect(keepUrl(nodeOf({ [KEY]: { a: { ...SAVED_A, name: 'Other' } } }), URL_A)).toBe(true);
});

it('A call of the trigger mends static data, unless it belongs to a workflow that was published anew or unpublished.', () => {
  const lost: Record<string, unknown> = {};
  expect(restoreUrl(nodeOf(lost), URL_A)).toBe(true);
  expect(lost).toEqual({ [KEY]: { a: SAVED_A } });
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

it.each([['text'], [null], [[A]], [{ c: null }]])('Static data that hold %j are taken for none.', (saved) => {
  expect(keepUrl(nodeOf({ [KEY]: saved }), URL_A)).toBe(true);
  expect(findUrls(nodeOf({ [KEY]: saved }))).toEqual([A]);
});

describe('Without static data, as n8n gives none to what a worker begins', () => {
  const TRIGGER = 'n8n-nodes-messaging-gateway.messagingGatewayTrigger';
  const context = (mode: string, nodes: object[], more: object = {}) =>
    ({
      ...(nodeOf({}) as object),
      getMode: () => mode,
      getNode: () => ({ id: 's', name: 'Send', type: 'n8n-nodes-messaging-gateway.messagingGateway' }),
      workflow: { id: workflows, nodes: Object.fromEntries(nodes.map((node, i) => [i, node])) },
      additionalData: { webhookBaseUrl: 'https://n8n.example/webhook' },
      ...more,
    }) as never;
  const trigger = { id: 'a', name: 'A', type: TRIGGER, webhookId: 'a', parameters: {} };

  it('the published workflow shows its triggers, but for those that are deactivated and other nodes.', () => {
    const others = [
      { ...trigger, id: 'off', disabled: true },
      { ...trigger, id: 'other', type: 'n8n-nodes-base.webhook' },
    ];
    expect(findUrls(context('webhook', [trigger, ...others]))).toEqual([A]);
    expect(findUrls(context('trigger', [trigger]))).toEqual([A]);
  });

  it('a run in the editor, which may have a draft, finds none.', () => {
    expect(findUrls(context('manual', [trigger]))).toEqual([]);
  });

  it('a trigger that this process has unpublished stays forgotten.', () => {
    keepUrl(nodeOf({}), undefined);
    expect(findUrls(context('webhook', [trigger]))).toEqual([]);
  });

  it('and without what n8n does not document, none is found.', () => {
    expect(findUrls(context('webhook', [trigger], { workflow: undefined }))).toEqual([]);
    expect(findUrls(context('webhook', [trigger], { additionalData: undefined }))).toEqual([]);
  });
});

describe('The secret of a trigger', () => {
  const saved = { [KEY]: { b: { name: 'B', url: BARE_B, hasSecret: true, instanceId } } };
  /** A node in a process that did not publish the trigger, whose parameter holds this. */
  const elsewhere = (secret: unknown, evaluated?: unknown) => {
    const warnings: string[] = [];
    const context = {
      ...(nodeOf(saved, 'send', 'elsewhere') as object),
      getWorkflowDataProxy: () => ({
        $: (name: string) => {
          if (name !== 'B') throw new Error(`No node ${name}`);
          return { params: { options: { secret } } };
        },
      }),
      evaluateExpression: (expression: string) => {
        if (evaluated === undefined) throw new Error('access denied');
        return expression === '{{ $vars.secret }}' ? evaluated : undefined;
      },
      logger: { warn: (text: string) => warnings.push(text) },
    };
    return { context: context as never, warnings };
  };

  it('is not in static data, also where an earlier version left it there.', () => {
    const staticData = {};
    keepUrl(nodeOf(staticData, 'b'), URL_B);
    expect(staticData).toEqual(saved);
    const old = { [KEY]: { b: { name: 'B', url: URL_B, instanceId } } };
    expect(restoreUrl(nodeOf(old, 'b'), URL_B)).toBe(true);
    expect(old).toEqual(saved);
    expect(findUrls(nodeOf(old))).toEqual([{ name: 'B', url: URL_B }]);
  });

  it.each<[string, unknown, unknown]>([
    ['text', 's', undefined],
    ['an expression', '={{ $vars.secret }}', 's'],
  ])('is read from its parameter by other processes: %s', (_, secret, evaluated) => {
    expect(findUrls(elsewhere(secret, evaluated).context)).toEqual([{ name: 'B', url: URL_B }]);
  });

  it.each<[string, unknown, unknown]>([
    ['an expression that fails', '={{ $vars.secret }}', undefined],
    ['an expression that gives nothing', '={{ $vars.secret }}', ''],
    ['no secret any more', undefined, undefined],
  ])('is said to be missing where it cannot be read: %s', (_, secret, evaluated) => {
    const { context } = elsewhere(secret, evaluated);
    expect(findUrls(context)).toEqual([{ name: 'B', url: BARE_B, lacksSecret: true }]);
  });
});
