import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node.ts';
import { WIRE_TYPES } from '../../../nodes/gateway/contract/operations.ts';
import { explain, policyOf } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/http-statuses.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';
import type { Words } from '../../../nodes/gateway/errors/words.ts';
import { CONNECTOR_WORDS, PLAIN_WORDS } from '../../../nodes/gateway/errors/words.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

/** The entries of HTTP codes, and what n8n can act on. */
const HTTP_CODES: Array<[code: string, statuses: number[], cause?: string]> = [
  ['redirected', [301], 'configuration-invalid'],
  ['content-type-missing', [400, 415]],
  ['http-unauthorized', [401], 'credential-invalid'],
  ['insufficient-balance', [402]],
  ['http-forbidden', [403]],
  ['wrong-address', [404, 405, 410], 'configuration-invalid'],
  ['proxy-login', [407]],
  ['server-failed', [408, 500]],
  ['too-large', [413]],
  ['http-refused', [418]],
  ['rate-limited', [429], 'rate-limited'],
  ['unavailable', [502, 503, 504], 'temporarily-unavailable'],
];

const notGateway = (contentType?: string, status?: number): Problem => ({
  kind: 'notGateway',
  contentType,
  status,
});

/** Problems without words of the gateway: their entry, and what is said. */
const CASES: Array<[Problem, code: string, RegExp, cause?: string]> = [
  ...HTTP_CODES.flatMap(([code, statuses, cause]) =>
    statuses.map((status): (typeof CASES)[number] => {
      return [{ kind: 'http', status }, code, new RegExp(`^[^(]+ \\(HTTP ${status}\\)$`), cause];
    }),
  ),
  [notGateway('text/html; charset=x', 200), 'not-gateway', /a web page came back$/],
  [notGateway('application/json'), 'not-gateway', /something else came back$/],
  [notGateway('image/png', 202), 'not-gateway', /"image\/png" came back \(HTTP 202\)/],
  [notGateway(), 'not-gateway', /something else/],
  [{ kind: 'notGateway', isTooLong: true }, 'answer-too-long', /too long to be read$/],
  [{ kind: 'blocked', text: 'Not allowed here' }, 'blocked', /"Not allowed here"/],
  [{ kind: 'unreachable', code: 'ECONNREFUSED' }, 'connection-refused', /refused/],
  [{ kind: 'unreachable', code: 'ENOTFOUND' }, 'host-not-found', /does not exist/],
  [{ kind: 'unreachable', code: 'EAI_AGAIN' }, 'name-lookup-failed', /looked up/],
  [{ kind: 'unreachable', code: 'ETIMEDOUT' }, 'unreachable', /could not be reached/],
  [{ kind: 'tls', code: 'CERT_HAS_EXPIRED' }, 'tls', /not valid at this time/],
  [{ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'tls', /not trusted/],
  [{ kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls', /another address/],
  [{ kind: 'tls', code: 'SOMETHING_NEW' }, 'tls', /No secure connection/],
  [{ kind: 'timeout' }, 'timeout', /in time/],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'connection-lost', /broke/],
  [{ kind: 'connectionLost', code: 'ERR_CANCELED' }, 'stopped-under-way', /was stopped/],
  [{ kind: 'lengthMismatch', sent: 3, received: 2 }, 'length-mismatch', /2 results for 3 operations/],
  [{ kind: 'idMismatch' }, 'id-mismatch', /other messages/],
  [{ kind: 'unknownOutcome' }, 'unknown-outcome', /may have taken/],
  [{ kind: 'notTold' }, 'not-told', /does not tell whether/],
  [{ kind: 'cancelled' }, 'cancelled', /before this item was sent/],
];

const refusals: Problem[] = REFUSALS.flatMap(([text]) => [
  { kind: 'envelope', text },
  ...WIRE_TYPES.map((wireType): Problem => ({ kind: 'item', text, wireType })),
]);
const everything = [...CASES.map(([problem]) => problem), ...refusals].map(
  (problem) => [problem, explain(problem)] as const,
);

describe('the catalogue', () => {
  it.each(CASES)('explains %j as %s', (...[problem, code, message, cause]) => {
    const explanation = explain(problem);
    expect(explanation.code).toBe(code);
    expect(explanation.message).toMatch(message);
    expect(explanation.failure?.cause).toBe(cause);
  });

  it('has a case for each HTTP code it knows', () => {
    const tested = HTTP_CODES.flatMap(([, statuses]) => statuses);
    expect(Object.keys(STATUS_ENTRIES).filter((status) => !tested.includes(Number(status)))).toEqual([]);
  });

  it('lets the words of a refusal count before its HTTP code, which is named beside words that it does not know', () => {
    expect(explain({ kind: 'envelope', text: 'Access denied', status: 401 }).code).toBe('access-denied');
    const { message } = explain({ kind: 'envelope', text: 'Nope', status: 404 });
    expect(message).toBe('There is no gateway at this address (HTTP 404): "Nope"');
    for (const status of [300, 408, 500, 501, 599]) {
      const { code } = explain({ kind: 'envelope', text: 'Nope', status });
      expect(code).toBe(explain({ kind: 'http', status }).code);
    }
  });

  it('tells how long to wait after an HTTP code with which that helps', () => {
    for (const [status, cause] of Object.entries({ 429: 'rate-limited', 503: 'temporarily-unavailable' })) {
      const { failure, description } = explain({ kind: 'http', status: Number(status), retryAfter: 1.5 });
      expect([failure, description]).toEqual([
        { cause, retryAfterMs: 2000 },
        expect.stringContaining('The server asks to wait 2 seconds.'),
      ]);
    }
    for (const status of [401, 404, 500])
      expect(explain({ kind: 'http', status, retryAfter: 2 })).toEqual(explain({ kind: 'http', status }));
  });

  it('says first for how long a server wants to be left alone where that is more than a moment', () => {
    const [limited, down, briefly] = [
      [429, 3600],
      [503, 5401],
      [429, 119],
    ].map(([status, retryAfter]) => explain({ kind: 'http', status, retryAfter }));
    expect(limited.message).toBe('The server asks to wait 60 minutes before the next request');
    expect(limited.description).toBe(
      'The gateway is limiting requests (HTTP 429). Run it again after that time.',
    );
    expect(limited.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_600_000 });
    expect(down.message).toBe('The server asks to wait 91 minutes before the next request');
    expect(down.description).toBe(
      'The gateway is unavailable at the moment (HTTP 503). Run it again after that time.',
    );
    expect(briefly.message).toBe('The gateway is limiting requests (HTTP 429)');
    const inDoubt = explain(
      { kind: 'http', status: 429, retryAfter: 3600 },
      { ...PLAIN_WORDS, isInDoubt: true },
    );
    expect(inDoubt.description).toBe('The gateway is limiting requests (HTTP 429).');
    const day = explain({ kind: 'envelope', text: 'Too many requests', retryAfter: 86_400 });
    expect(day.message).toBe('The server asks to wait 24 hours before the next request');
    expect(day.description).toContain('("Too many requests"). Run it again');
  });

  it('has the same policy with and without words', () => {
    for (const [problem, { message: _message, description: _description, ...policy }] of everything) {
      const { code, failure, account } = policyOf(problem);
      expect({ code, failure, account }).toEqual({ failure: undefined, account: undefined, ...policy });
    }
  });

  it('writes whole sentences, blames nobody, and never says what became of a message', () => {
    for (const [, { code, message, description }] of everything) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(message).toMatch(/^[A-Zn].*[^.]$/);
      expect(description).toMatch(/^['A-Z].*\.$/);
      // Words prove nothing of what became of a message.
      expect(description).not.toContain('Nothing was sent');
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
    if (typeof value !== 'object' || value === null) return;
    const { name, displayName, type, options, values } = value as Record<string, unknown>;
    if (typeof name === 'string' && typeof type === 'string') labels.set(name, String(displayName));
    [options, values, ...(Array.isArray(value) ? (value as unknown[]) : [])].forEach(collect);
  };
  collect(new MessagingGateway().description.properties);
  const ofCredential = new MessagingGatewayApi().properties;
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
    const known = [...labels.values(), ...ofCredential.map(({ displayName }) => displayName)];
    expect([...shown].filter((name) => !known.includes(name))).toEqual([]);
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
    const named = ofCredential.filter(({ name }) => ['apiKey', 'baseUrl', 'asyncUrl'].includes(name));
    expect(quotedIn(texts(PLAIN_WORDS))).toEqual(new Set(named.map(({ displayName }) => displayName)));
  });

  it('leave out the advice about options that the form does not show', () => {
    const label = (name: string) => ({ timeout: 'Timeout', options: 'Options' })[name];
    const advice = (problem: Problem) => explain(problem, { ...PLAIN_WORDS, label }).description;
    expect(advice({ kind: 'timeout' })).toMatch(/, raise 'Timeout' in 'Options'\.$/);
    expect(advice({ kind: 'http', status: 429 })).toBe('Wait a moment and run it again.');
    expect(advice({ kind: 'http', status: 413 })).toBe(
      'Send fewer items in one request. If it was alone in its request, shorten its texts.',
    );
  });

  it('name the address in question alone', () => {
    const all = texts({ ...PLAIN_WORDS, addresses: ['asyncUrl'] });
    expect(all.filter((text) => text.includes("'Base URL'"))).toEqual([]);
    const { description } = explain({ kind: 'unreachable', code: 'ENOTFOUND' });
    expect(description).toContain("Check 'Base URL' and 'Async URL' in the credential");
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
