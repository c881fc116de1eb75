import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node.ts';
import { WIRE_TYPES } from '../../../nodes/gateway/contract/operations.ts';
import { explain, policyOf } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/http-statuses.ts';
import type { Explanation, Problem } from '../../../nodes/gateway/errors/problem.ts';
import type { Words } from '../../../nodes/gateway/errors/words.ts';
import { CONNECTOR_WORDS, PLAIN_WORDS } from '../../../nodes/gateway/errors/words.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

const failure = (cause: string, more: object = {}) =>
  ({ failure: { cause, ...more } }) as Partial<Explanation>;

const HTTP_CASES: Array<[status: number, code: string, message: RegExp, more?: Partial<Explanation>]> = [
  [301, 'redirected', /another address/],
  [400, 'content-type-missing', /HTTP 400/],
  [401, 'http-unauthorized', /HTTP 401/, failure('credential-invalid')],
  [402, 'insufficient-balance', /balance/],
  [403, 'http-forbidden', /HTTP 403/],
  [404, 'wrong-address', /no gateway at this address/, failure('configuration-invalid')],
  [405, 'wrong-address', /HTTP 405/],
  [407, 'proxy-login', /proxy/],
  [408, 'server-failed', /HTTP 408/],
  [410, 'wrong-address', /HTTP 410/],
  [413, 'too-large', /too large/],
  [415, 'content-type-missing', /HTTP 415/],
  [418, 'http-refused', /HTTP 418/],
  [429, 'rate-limited', /is limiting requests.*HTTP 429/, failure('rate-limited')],
  [500, 'server-failed', /HTTP 500/],
  [502, 'unavailable', /HTTP 502/, failure('temporarily-unavailable')],
  [503, 'unavailable', /HTTP 503/],
  [504, 'unavailable', /HTTP 504/],
];

/** Problems without words of the gateway: what is said, and what follows from it. */
const CASES: Array<[Problem, Partial<Explanation>, RegExp]> = [
  ...HTTP_CASES.map(([status, code, message, more]): (typeof CASES)[number] => [
    { kind: 'http', status },
    { code, ...more } as Partial<Explanation>,
    message,
  ]),
  [{ kind: 'http', status: 429, retryAfter: 2 }, failure('rate-limited', { retryAfterMs: 2000 }), /limiting/],
  [
    { kind: 'http', status: 503, retryAfter: 1 },
    failure('temporarily-unavailable', { retryAfterMs: 1000 }),
    /503/,
  ],
  [{ kind: 'notGateway', contentType: 'text/html; charset=utf-8', status: 200 }, {}, /a web page came back$/],
  [{ kind: 'notGateway', contentType: 'application/json' }, {}, /something else came back$/],
  [{ kind: 'notGateway', contentType: 'image/png', status: 202 }, {}, /"image\/png" came back \(HTTP 202\)/],
  [{ kind: 'notGateway' }, { code: 'not-gateway' }, /something else/],
  [{ kind: 'blocked', text: 'Not allowed here' }, { code: 'blocked' }, /"Not allowed here"/],
  [{ kind: 'unreachable', code: 'ECONNREFUSED' }, { code: 'connection-refused' }, /refused/],
  [{ kind: 'unreachable', code: 'ENOTFOUND' }, { code: 'host-not-found' }, /does not exist/],
  [{ kind: 'unreachable', code: 'EAI_AGAIN' }, { code: 'name-lookup-failed' }, /looked up/],
  [{ kind: 'unreachable', code: 'ETIMEDOUT' }, { code: 'unreachable' }, /could not be reached/],
  [{ kind: 'tls', code: 'CERT_HAS_EXPIRED' }, { code: 'tls' }, /not valid at this time/],
  [{ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, { code: 'tls' }, /not trusted/],
  [{ kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, { code: 'tls' }, /another address/],
  [{ kind: 'tls', code: 'SOMETHING_NEW' }, { code: 'tls' }, /No secure connection/],
  [{ kind: 'timeout' }, { code: 'timeout' }, /in time/],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, { code: 'connection-lost' }, /broke/],
  [{ kind: 'connectionLost', code: 'ERR_CANCELED' }, { code: 'stopped-under-way' }, /was stopped/],
  [
    { kind: 'lengthMismatch', sent: 3, received: 2 },
    { code: 'length-mismatch' },
    /2 results for 3 operations/,
  ],
  [{ kind: 'idMismatch' }, { code: 'id-mismatch' }, /other messages/],
  [{ kind: 'unknownOutcome' }, { code: 'unknown-outcome' }, /may have taken/],
  [{ kind: 'notTold' }, { code: 'not-told' }, /does not tell whether/],
  [{ kind: 'cancelled' }, { code: 'cancelled' }, /before this item was sent/],
];

const refusals: Problem[] = REFUSALS.flatMap(([text]) => [
  { kind: 'envelope', text },
  ...WIRE_TYPES.map((wireType): Problem => ({ kind: 'item', text, wireType })),
]);
const everything = [...CASES.map(([problem]) => problem), ...refusals].map(
  (problem) => [problem, explain(problem)] as const,
);

describe('the catalogue', () => {
  it.each(CASES)('explains %j', (problem, expected, message) => {
    const explanation = explain(problem);
    expect(explanation).toMatchObject(expected);
    expect(explanation.message).toMatch(message);
    if (expected.failure === undefined && problem.kind !== 'http')
      expect(explanation).not.toHaveProperty('failure');
  });

  it('has a case for each HTTP code it knows', () => {
    const tested = CASES.flatMap(([problem]) => (problem.kind === 'http' ? [problem.status] : []));
    expect(
      Object.keys(STATUS_ENTRIES)
        .map(Number)
        .filter((status) => !tested.includes(status)),
    ).toEqual([]);
  });

  it('lets the words of a refusal count before its HTTP code, and the code where the words say nothing', () => {
    expect(explain({ kind: 'envelope', text: 'Access denied', status: 401 }).code).toBe('access-denied');
    const unknown = explain({ kind: 'envelope', text: 'Nope', status: 404 });
    expect(unknown).toMatchObject({ code: 'wrong-address' });
    expect(unknown.message).toBe('There is no gateway at this address (HTTP 404): "Nope"');
  });

  it.each([408, 500, 501, 502, 503, 504, 599])(
    'names HTTP %i beside words that it does not know',
    (status) => {
      const { code, message } = explain({ kind: 'envelope', text: 'Nope', status });
      expect(code).toBe(explain({ kind: 'http', status }).code);
      expect(message).toContain(`(HTTP ${status}): "Nope"`);
    },
  );

  it.each([401, 404])('tells nobody to wait after HTTP %i, where that does not help', (status) => {
    expect(explain({ kind: 'http', status, retryAfter: 2 })).toEqual(explain({ kind: 'http', status }));
  });

  it('never says what became of a message, which words do not prove', () => {
    for (const [, { description }] of everything) expect(description).not.toContain('Nothing was sent');
  });

  it('has the same policy with and without words', () => {
    for (const [problem, { message: _message, description: _description, ...policy }] of everything) {
      const { code, failure, account } = policyOf(problem);
      expect({ code, failure, account }).toEqual({ failure: undefined, account: undefined, ...policy });
    }
  });

  it('writes whole sentences and blames nobody', () => {
    for (const [, { code, message, description }] of everything) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(message).toMatch(/^[A-Zn].*[^.]$/);
      expect(description).toMatch(/^['A-Z].*\.$/);
      const own = `${message.replace(/".*"/, '')} ${description}`;
      expect(own).not.toMatch(/\b(please|oops|sorry|you (failed|forgot)|illegal)\b/i);
    }
  });

  it("reaches the user through n8n's error as it is", () => {
    const node = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: {} } as INode;
    for (const [, { message, description, failure }] of everything) {
      const error = new NodeApiError(node, {}, { message, description, ...(failure && { failure }) });
      expect(error.message).toBe(message);
      expect(error.description).toBe(description);
      expect(error.failure).toEqual(failure);
    }
  });
});

describe('the words of the catalogue', () => {
  /** Display names by name, of all properties of the node, those inside others included. */
  const labels = new Map<string, string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      const { name, displayName, type, options, values } = value as Record<string, unknown>;
      if (typeof name === 'string' && typeof type === 'string') labels.set(name, String(displayName));
      [options, values].forEach(collect);
    }
  };
  collect(new MessagingGateway().description.properties);

  const credential = new Map(
    new MessagingGatewayApi().properties.map(({ name, displayName }) => [name, displayName]),
  );
  const texts = (words: Words) =>
    everything.map(([problem]) => {
      const { message, description } = explain(problem, words);
      return `${message.replace(/".*"/, '')} ${description}`;
    });
  const quotedIn = (all: string[]) =>
    new Set(all.flatMap((text) => [...text.matchAll(/(?<![a-z])'([^' ][^']*)'/g)].map(([, name]) => name)));

  it('only ask for parameters that the node has, and show their labels', () => {
    const asked = new Set<string>();
    const label = (name: string) => {
      asked.add(name);
      return labels.get(name);
    };
    const shown = quotedIn(texts({ ...PLAIN_WORDS, label }));
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].filter((name) => !labels.has(name))).toEqual([]);
    const known = new Set([...labels.values(), ...credential.values()]);
    expect([...shown].filter((name) => !known.has(name))).toEqual([]);
    for (const name of asked) expect(shown).toContain(labels.get(name));
  });

  it('name a label once in a list, though several parameters share it', () => {
    const all = texts({ ...PLAIN_WORDS, label: (name) => labels.get(name) });
    const lists = all.flatMap((text) => text.match(/('[^']+', )*'[^']+' (or|and) '[^']+'/g) ?? []);
    expect(lists.length).toBeGreaterThan(5);
    for (const list of lists) {
      const names = list.match(/'[^']+'/g) ?? [];
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('show no label but those of the credential where no form is known', () => {
    expect([...quotedIn(texts(PLAIN_WORDS))].sort()).toEqual(
      ['apiKey', 'baseUrl', 'asyncUrl'].map((name) => credential.get(name)).sort(),
    );
  });

  it('leave out the advice about options that the form does not show', () => {
    const label = (name: string) => ({ timeout: 'Timeout', options: 'Options' })[name];
    const words = { ...PLAIN_WORDS, label };
    expect(explain({ kind: 'timeout' }, words).description).toMatch(/, raise 'Timeout' in 'Options'\.$/);
    expect(explain({ kind: 'http', status: 429 }, words).description).toBe('Wait a moment and run it again.');
    expect(explain({ kind: 'http', status: 413 }, words).description).toBe(
      'Send fewer items in one request.',
    );
  });

  it('name the address in question alone', () => {
    for (const problem of everything.map(([one]) => one)) {
      const { description } = explain(problem, { ...PLAIN_WORDS, addresses: ['asyncUrl'] });
      expect(description).not.toContain("'Base URL'");
    }
    expect(explain({ kind: 'unreachable', code: 'ENOTFOUND' }).description).toContain(
      "Check 'Base URL' and 'Async URL' in the credential",
    );
  });

  it('speak of the connector, where that is what answers', () => {
    const problems = CASES.map(([problem]) => problem).filter(({ kind }) =>
      ['http', 'unreachable', 'tls', 'timeout', 'connectionLost', 'notGateway', 'blocked'].includes(kind),
    );
    expect(problems.length).toBeGreaterThan(30);
    for (const problem of problems) {
      const { message, description } = explain(problem, CONNECTOR_WORDS);
      expect(message).not.toMatch(/gateway/);
      expect(description).not.toMatch(/'(Base|Async) URL'/);
    }
  });
});
