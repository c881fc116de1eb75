import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { WIRE_TYPES } from '../../../nodes/gateway/contract/operations.ts';
import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import type { Explanation } from '../../../nodes/gateway/errors/catalogue.ts';
import { mayHaveArrived } from '../../../nodes/gateway/errors/classify.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/http-statuses.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

const root = join(import.meta.dirname, '../../..');

/** Problems without words of the gateway: what is said, and what follows from it. */
const CASES: Array<[Problem, Partial<Explanation>, RegExp]> = [
  [{ kind: 'http', status: 301 }, { code: 'redirected', retry: 'never', stop: true }, /another address/],
  [{ kind: 'http', status: 400 }, { code: 'content-type-missing', retry: 'never' }, /HTTP 400/],
  [
    { kind: 'http', status: 401 },
    { code: 'http-unauthorized', failure: { cause: 'credential-invalid' }, stop: true },
    /HTTP 401/,
  ],
  [{ kind: 'http', status: 402 }, { code: 'insufficient-balance', retry: 'safe' }, /balance/],
  [{ kind: 'http', status: 403 }, { code: 'http-forbidden', retry: 'never' }, /HTTP 403/],
  [
    { kind: 'http', status: 404 },
    { code: 'wrong-address', failure: { cause: 'configuration-invalid' } },
    /no gateway at this address/,
  ],
  [{ kind: 'http', status: 405 }, { code: 'wrong-address' }, /HTTP 405/],
  [{ kind: 'http', status: 407 }, { code: 'proxy-login' }, /proxy/],
  [{ kind: 'http', status: 408 }, { code: 'request-timeout', retry: 'afterStatusCheck' }, /stopped waiting/],
  [{ kind: 'http', status: 410 }, { code: 'wrong-address' }, /HTTP 410/],
  [{ kind: 'http', status: 413 }, { code: 'request-too-large', retry: 'safe' }, /too large/],
  [{ kind: 'http', status: 415 }, { code: 'content-type-missing' }, /HTTP 415/],
  [{ kind: 'http', status: 418 }, { code: 'http-refused', retry: 'never' }, /HTTP 418/],
  [
    { kind: 'http', status: 429, retryAfter: 2 },
    { code: 'rate-limited', retry: 'safe', failure: { cause: 'rate-limited', retryAfterMs: 2000 } },
    /more requests/,
  ],
  [{ kind: 'http', status: 429 }, { failure: { cause: 'rate-limited' } }, /HTTP 429/],
  [{ kind: 'http', status: 500 }, { code: 'server-failed', retry: 'afterStatusCheck' }, /HTTP 500/],
  [
    { kind: 'http', status: 502 },
    { code: 'server-unavailable', failure: { cause: 'temporarily-unavailable' }, retry: 'afterStatusCheck' },
    /HTTP 502/,
  ],
  [
    { kind: 'http', status: 503, retryAfter: 1 },
    { failure: { cause: 'temporarily-unavailable', retryAfterMs: 1000 } },
    /HTTP 503/,
  ],
  [{ kind: 'http', status: 504 }, { code: 'server-unavailable' }, /HTTP 504/],
  [
    { kind: 'notGateway', contentType: 'text/html; charset=utf-8', status: 200 },
    { code: 'not-gateway', retry: 'afterStatusCheck' },
    /a web page came back$/,
  ],
  [
    { kind: 'notGateway', contentType: 'application/json' },
    { code: 'not-gateway' },
    /something else came back$/,
  ],
  [{ kind: 'notGateway', contentType: 'image/png', status: 202 }, {}, /"image\/png" came back \(HTTP 202\)/],
  [{ kind: 'notGateway' }, { code: 'not-gateway' }, /something else/],
  [{ kind: 'blocked', text: 'Not allowed here' }, { code: 'blocked', retry: 'never' }, /"Not allowed here"/],
  [{ kind: 'unreachable', code: 'ECONNREFUSED' }, { code: 'connection-refused', retry: 'safe' }, /refused/],
  [{ kind: 'unreachable', code: 'ENOTFOUND' }, { code: 'host-not-found', retry: 'never' }, /does not exist/],
  [{ kind: 'unreachable', code: 'EAI_AGAIN' }, { code: 'name-lookup-failed', retry: 'safe' }, /looked up/],
  [{ kind: 'unreachable', code: 'ETIMEDOUT' }, { code: 'connect-timeout', retry: 'safe' }, /did not answer/],
  [
    { kind: 'unreachable', code: 'ERR_INVALID_URL' },
    { code: 'address-not-valid', retry: 'never' },
    /web address/,
  ],
  [
    { kind: 'unreachable', code: 'EHOSTUNREACH' },
    { code: 'unreachable', retry: 'safe' },
    /could not be reached/,
  ],
  [{ kind: 'tls', code: 'CERT_HAS_EXPIRED' }, { code: 'tls', retry: 'never' }, /not valid at this time/],
  [{ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, { code: 'tls' }, /not trusted/],
  [{ kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, { code: 'tls' }, /another address/],
  [{ kind: 'tls', code: 'EPROTO' }, { code: 'tls' }, /No secure connection/],
  [{ kind: 'tls', code: 'SOMETHING_NEW' }, { code: 'tls' }, /No secure connection/],
  [{ kind: 'timeout' }, { code: 'timeout', retry: 'afterStatusCheck' }, /in time/],
  [
    { kind: 'connectionLost', code: 'ECONNRESET' },
    { code: 'connection-lost', retry: 'afterStatusCheck' },
    /broke/,
  ],
  [{ kind: 'connectionLost', code: 'ERR_CANCELED' }, { code: 'stopped-under-way' }, /was stopped/],
  [
    { kind: 'lengthMismatch', sent: 3, received: 2 },
    { code: 'length-mismatch' },
    /2 results for 3 operations/,
  ],
  [{ kind: 'idMismatch' }, { code: 'id-mismatch', retry: 'afterStatusCheck' }, /other messages/],
  [{ kind: 'unknownOutcome' }, { code: 'unknown-outcome', retry: 'afterStatusCheck' }, /not known/],
  [{ kind: 'cancelled' }, { code: 'cancelled', retry: 'safe', stop: true }, /before this item was sent/],
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
    expect(explain({ kind: 'envelope', text: 'Nope', status: 500 })).toMatchObject({ code: 'refused' });
  });

  it('says that something may be sent again only where it cannot have been received', () => {
    for (const [problem, { retry }] of everything) {
      if (!mayHaveArrived(problem)) expect(retry).not.toBe('afterStatusCheck');
      if (retry === 'safe' && mayHaveArrived(problem)) {
        // The gateway itself, or the server in front of it, said that it did not take the request.
        expect(['item', 'envelope', 'http']).toContain(problem.kind);
      }
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

  it('names only parameters and operations that the package has', () => {
    const source = ['nodes/MessagingGateway', 'credentials']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .map((file) => readFileSync(join(root, folder, file), 'utf8')),
      )
      .join('\n');
    // Lifetimes are put together from the name of the channel.
    const has = (name: string) =>
      source.includes(`'${name}'`) || /^(SMS|Viber|RCS|Telegram) Lifetime$/.test(name);
    const named = new Set<string>();
    for (const [, { description }] of everything) {
      for (const [, name] of description.matchAll(/(?<![a-z])'([A-Z][^']*)'/g)) named.add(name);
      for (const [, name] of description.matchAll(/\boperation ((?:Get|Send)(?: [A-Z]\w+)+)/g))
        named.add(name);
    }
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !has(name))).toEqual([]);
  });
});
