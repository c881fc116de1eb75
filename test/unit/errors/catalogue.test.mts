import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Circumstances } from '../../../nodes/gateway/errors/catalogue.ts';
import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

/** The titles of HTTP codes, and what n8n can act on. */
const HTTP_CODES: Array<[title: string, statuses: number[], cause?: string]> = [
  ['The server redirects to another address', [301], 'configuration-invalid'],
  ['The gateway could not read the request', [400, 415]],
  ['The server refused access', [401], 'credential-invalid'],
  ["The account's balance is too low", [402]],
  ['The server refused access', [403]],
  ['There is no gateway at this address', [404, 405, 410], 'configuration-invalid'],
  ['A proxy between n8n and the server requires a login', [407]],
  ['The server failed while it handled the request', [408, 500]],
  ['The request is too large for the gateway', [413]],
  ['The server answered with an unusual code', [418]],
  ['The gateway is limiting requests', [429], 'rate-limited'],
  ['The gateway is unavailable at the moment', [502, 503, 504, 524], 'temporarily-unavailable'],
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

/** Problems without words of the gateway: the title that explains them, and what n8n can act on. */
const CASES: Array<[Problem, title: string, cause?: string]> = [
  ...HTTP_CODES.flatMap(([title, statuses, cause]) =>
    statuses.map((status): (typeof CASES)[number] => [http(status), title, cause]),
  ),
  [notGateway('text/html; charset=x', 200), "The answer is not the gateway's"],
  [{ kind: 'notGateway', isTooLong: true }, 'The answer of the gateway is too long to be read'],
  [{ kind: 'blocked', text: 'Not allowed here' }, 'n8n did not make the request'],
  ...Object.entries({
    ECONNREFUSED: 'The gateway refused the connection',
    ENOTFOUND: "The gateway's address does not exist",
    EAI_AGAIN: "The gateway's address could not be looked up",
    ETIMEDOUT: 'The gateway could not be reached',
    CERT_HAS_EXPIRED: "The gateway's certificate is not valid at this time",
    DEPTH_ZERO_SELF_SIGNED_CERT: "The gateway's certificate is not trusted",
    ERR_TLS_CERT_ALTNAME_INVALID: "The gateway's certificate is for another address",
    UNABLE_TO_GET_CRL: 'No secure connection to the gateway could be made',
    ERR_SSL_WRONG_VERSION_NUMBER: 'No secure connection to the gateway could be made',
    EPROTO: 'No secure connection to the gateway could be made',
  }).map(([code, title]): (typeof CASES)[number] => [{ kind: 'unreachable', code }, title]),
  [{ kind: 'timeout' }, 'The gateway did not answer in time'],
  [{ kind: 'connectionLost', code: 'ECONNRESET' }, 'The connection to the gateway broke'],
  [{ kind: 'connectionLost', code: 'ERR_CANCELED' }, 'The execution was stopped during a request'],
  [{ kind: 'rejected' }, 'The gateway rejected this message'],
  [{ kind: 'mismatch' }, 'The gateway returned the results of other messages'],
  [{ kind: 'notTold' }, 'The gateway may have this message already'],
  [{ kind: 'cancelled' }, 'The execution was stopped before the request for this row left'],
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
  it.each(CASES)('explains %j as %s', (...[problem, title, cause]) => {
    const { message, failure } = explain(problem);
    expect([message.slice(0, title.length), failure?.cause]).toEqual([title, cause]);
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
    const denied: Problem = { kind: 'request', text: 'Access denied', status: 401 };
    expect(titleOf(denied)).toBe('The gateway did not accept the API key (HTTP 401): "Access denied"');
    const { message } = explain({ kind: 'request', text: 'Nope', status: 404 });
    expect(message).toBe('There is no gateway at this address (HTTP 404): "Nope"');
    for (const status of [300, 408, 500, 501, 599]) {
      expect(titleOf({ kind: 'request', text: 'Nope', status })).toBe(`${titleOf(http(status))}: "Nope"`);
    }
  });

  it('tells how long to wait after an HTTP code with which that helps, before it says to run it again', () => {
    for (const [status, cause] of Object.entries({ 429: 'rate-limited', 503: 'temporarily-unavailable' })) {
      const { failure, description } = explain(http(Number(status), 1.5));
      expect([failure, description]).toEqual([
        { cause, retryAfterMs: 2000 },
        expect.stringMatching(/^The server asks to wait 2 seconds: run it again after that\. [AIW]/),
      ]);
    }
    for (const status of [401, 404, 500]) expect(explain(http(status, 2))).toEqual(explain(http(status)));
    for (const [seconds, words] of [
      [119, '119 seconds'],
      [3600, '60 minutes'],
    ] as const)
      expect(explain(http(429, seconds)).description).toContain(` ${words}: run it again after that.`);
    expect(explain(http(429, 0))).toEqual(explain(http(429)));
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

  it('writes whole sentences, blames nobody, and never says what became of a message', () => {
    for (const [, { message, description }] of everything) {
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
