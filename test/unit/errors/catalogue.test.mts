import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Circumstances } from '../../../nodes/gateway/errors/catalogue.ts';
import { explain, policyOf } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';
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
  ['http-other', [418]],
  ['rate-limited', [429], 'rate-limited'],
  ['unavailable', [502, 503, 504, 524], 'temporarily-unavailable'],
];

const notGateway = (contentType?: string, status?: number): Problem => ({
  kind: 'notGateway',
  contentType,
  status,
});

const http = (status: number, retryAfter?: number): Problem => ({
  kind: 'request',
  text: '',
  status,
  retryAfter,
});

/** Problems without words of the gateway: their entry, and what n8n can act on. */
const CASES: Array<[Problem, code: string, cause?: string]> = [
  ...HTTP_CODES.flatMap(([code, statuses, cause]) =>
    statuses.map((status): (typeof CASES)[number] => [http(status), code, cause]),
  ),
  [notGateway('text/html; charset=x', 200), 'not-gateway'],
  [{ kind: 'notGateway', isTooLong: true }, 'answer-too-long'],
  [{ kind: 'blocked', text: 'Not allowed here' }, 'blocked'],
  ...Object.entries({
    ECONNREFUSED: 'connection-refused',
    ENOTFOUND: 'host-not-found',
    EAI_AGAIN: 'name-lookup-failed',
    ETIMEDOUT: 'unreachable',
    CERT_HAS_EXPIRED: 'tls',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
    ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
    UNABLE_TO_GET_CRL: 'tls',
    ERR_SSL_WRONG_VERSION_NUMBER: 'tls',
    EPROTO: 'tls',
  }).map(([code, entry]): (typeof CASES)[number] => [{ kind: 'unreachable', code }, entry]),
  [{ kind: 'timeout' }, 'timeout'],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'connection-lost'],
  [{ kind: 'connectionLost', code: 'ERR_CANCELED' }, 'stopped-under-way'],
  [{ kind: 'rejected' }, 'rejected'],
  [{ kind: 'mismatch' }, 'mismatch'],
  [{ kind: 'notTold' }, 'not-told'],
  [{ kind: 'cancelled' }, 'cancelled'],
];

const refusals: Problem[] = REFUSALS.flatMap(([text]) => [
  { kind: 'request', text },
  { kind: 'operation', text },
]);
const titleOf = (problem: Problem): string => explain(problem).message;
const everything = [...CASES.map(([problem]) => problem), ...refusals].map(
  (problem) => [problem, explain(problem)] as const,
);

describe('the catalogue', () => {
  it.each(CASES)('explains %j as %s', (...[problem, code, cause]) => {
    const { code: given, failure } = explain(problem);
    expect([given, failure?.cause]).toEqual([code, cause]);
  });

  it('says with its title what came, its HTTP code, and the words about it', () => {
    expect(
      [notGateway('text/html', 200), notGateway('application/json'), notGateway('image/png', 202)].map(
        titleOf,
      ),
    ).toEqual([
      "The answer is not the gateway's: a web page came back",
      "The answer is not the gateway's: something else came back",
      'The answer is not the gateway\'s: "image/png" came back (HTTP 202)',
    ]);
    expect(titleOf(http(404))).toBe('There is no gateway at this address (HTTP 404)');
    expect(titleOf({ kind: 'blocked', text: 'No' })).toBe('n8n did not make the request: "No"');
    expect(explain({ kind: 'unreachable', code: 'ENOTFOUND' }).description).toMatch(/Code: ENOTFOUND\.$/);
  });

  it('has a case for each HTTP code it knows', () => {
    const tested = HTTP_CODES.flatMap(([, statuses]) => statuses);
    expect(Object.keys(STATUS_ENTRIES).filter((status) => !tested.includes(Number(status)))).toEqual([]);
  });

  it('lets the words of a refusal count before its HTTP code, which is named beside words that it does not know', () => {
    expect(explain({ kind: 'request', text: 'Access denied', status: 401 }).code).toBe('access-denied');
    const { message } = explain({ kind: 'request', text: 'Nope', status: 404 });
    expect(message).toBe('There is no gateway at this address (HTTP 404): "Nope"');
    for (const status of [300, 408, 500, 501, 599]) {
      const { code } = explain({ kind: 'request', text: 'Nope', status });
      expect(code).toBe(explain(http(status)).code);
    }
  });

  it('tells how long to wait after an HTTP code with which that helps', () => {
    for (const [status, cause] of Object.entries({ 429: 'rate-limited', 503: 'temporarily-unavailable' })) {
      const { failure, description } = explain(http(Number(status), 1.5));
      expect([failure, description]).toEqual([
        { cause, retryAfterMs: 2000 },
        expect.stringContaining('The server asks to wait 2 seconds.'),
      ]);
    }
    for (const status of [401, 404, 500]) expect(explain(http(status, 2))).toEqual(explain(http(status)));
  });

  it('says first for how long a server wants to be left alone where that is more than a moment', () => {
    const [limited, down, briefly] = [
      [429, 3600],
      [503, 5401],
      [429, 119],
    ].map(([status, retryAfter]) => explain(http(status, retryAfter)));
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
    const inDoubt = explain(http(429, 3600), { isInDoubt: true });
    expect(inDoubt.description).toBe('The gateway is limiting requests (HTTP 429).');
    const day = explain({ kind: 'request', text: 'Too many requests', retryAfter: 86_400 });
    expect(day.message).toBe('The server asks to wait 24 hours before the next request');
    expect(day.description).toContain('requests: "Too many requests". Run it again');
  });

  it("says to run it again only of what can't have been carried out", () => {
    const again = everything.filter(([, { description }]) =>
      / ?\brun (it|the workflow) again\b/i.test(description),
    );
    expect(again.length).toBeGreaterThan(10);
    for (const [problem] of again.filter(([{ kind }]) => kind !== 'cancelled'))
      expect(explain(problem, { isInDoubt: true }).description).not.toMatch(
        /\brun (it|the workflow) again\b/i,
      );
  });

  it('tries again where a server may come back, and not where an address or a certificate is wrong', () => {
    const lasting = ['ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EPROTO'].map(
      (code) => policyOf({ kind: 'unreachable', code }).lasting === true,
    );
    expect(lasting).toEqual([false, false, false, true, true, true]);
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

describe('the texts of the catalogue', () => {
  const textsOf = (circumstances: Circumstances) =>
    everything.map(([problem]) => {
      const { message, description } = explain(problem, circumstances);
      return `${message.replace(/".*"/, '')} ${description}`;
    });

  it('name the address in question alone, and speak of the connector where that answers', () => {
    expect(textsOf({ address: 'asyncUrl' }).join()).not.toContain("'API Address'");
    expect(textsOf({}).join()).not.toMatch(/'Queue Address'|[{}]/);
    const problems = CASES.map(([problem]) => problem).filter(({ kind }) =>
      ['request', 'unreachable', 'timeout', 'connectionLost', 'notGateway', 'blocked'].includes(kind),
    );
    for (const problem of problems) {
      const { message, description } = explain(problem, { service: 'connector', address: 'mcpUrl' });
      expect(message).not.toMatch(/gateway/);
      expect(description).not.toMatch(/'(Base|Async) URL'/);
    }
  });
});
