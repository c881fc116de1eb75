import fc from '../../support/generated.mts';
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { classifyTransportError, mayHaveArrived } from '../../../nodes/gateway/errors/classify.ts';

const API_KEY = 'key-that-must-not-be-seen';
const node = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: {} } as INode;

/** An error as Node and axios make it: fields beside the message, and a cause below. */
const failure = (fields: Record<string, unknown>, cause?: unknown): Error =>
  Object.assign(new Error(String(fields.message ?? 'failed'), { cause }), fields);

/** What axios throws: the request hangs on it, with the key. */
const axiosError = (code: string, cause?: unknown, message = 'failed'): Error => {
  const config = { data: `{"auth":"${API_KEY}"}`, headers: { Authorization: `Bearer ${API_KEY}` } };
  return failure({ code, message, isAxiosError: true, config, request: { body: API_KEY } }, cause);
};

const nodeError = (code: string, syscall?: string, message = `${syscall} ${code}`) =>
  failure({ code, message, ...(syscall && { syscall }) }) as Error & { code: string };
/** Several of these, written as `code syscall`. */
const nodeErrors = (...all: string[]) =>
  all.map((one) => nodeError(...(one.split(' ') as [string, string?])));

const asThrownByNode = (error: Error): NodeApiError => new NodeApiError(node, error as unknown as JsonObject);

/** What is made of an error itself, inside one of axios, and as n8n throws it. */
function expectProblem(error: Error & { code: string }, kind: string, cause?: Error): void {
  const { code, message } = error;
  const raw = axiosError(code, cause, message);
  for (const thrown of [...(cause === error ? [] : [error]), raw, asThrownByNode(raw)]) {
    const problem = classifyTransportError(thrown);
    expect(problem).toEqual({ kind, code });
    expect(mayHaveArrived(problem)).toBe(kind === 'connectionLost');
  }
}

const handshake = 'Client network socket disconnected before secure TLS connection was established';

describe('nothing left this machine', () => {
  it.each([
    ...nodeErrors('ECONNREFUSED connect', 'ENOTFOUND getaddrinfo', 'EAI_AGAIN getaddrinfo'),
    ...nodeErrors('EHOSTUNREACH connect', 'ENETUNREACH connect', 'ETIMEDOUT connect', 'ECONNRESET connect'),
    ...nodeErrors('ERR_INVALID_URL', 'ERR_INVALID_CHAR'),
    nodeError('ECONNRESET', undefined, handshake),
  ])('is unreachable: $code $message', (cause) => expectProblem(cause, 'unreachable', cause));

  it('reads a connection that was tried at several addresses', () => {
    const after = (...attempts: string[]) => {
      const all = Object.assign(new AggregateError(nodeErrors(...attempts), ''), { code: 'ETIMEDOUT' });
      return classifyTransportError(asThrownByNode(axiosError('ETIMEDOUT', all)));
    };
    const attempts = ['ETIMEDOUT connect', 'ENETUNREACH connect'];
    expect(after(...attempts)).toEqual({ kind: 'unreachable', code: 'ETIMEDOUT' });
    expect(after(...attempts, 'ETIMEDOUT read')).toEqual({ kind: 'timeout' });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
    ['EPROTO', 'write EPROTO 00:error:0A00010B:SSL routines::wrong version number'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tlsv1 alert protocol version'],
  ])('%s is a failed handshake', (code, message) => {
    const cause = nodeError(code, undefined, message);
    expectProblem(cause, 'unreachable', cause);
  });

  it.each([
    new UserError('The API key is only sent to the addresses of the credential'),
    new NodeOperationError(node, 'Node has no credential'),
    Object.assign(new Error('The request was blocked'), { name: 'SsrfBlockedIpError' }),
  ])('n8n refused it: $message', (error) => {
    for (const one of [error, asThrownByNode(error)]) {
      const problem = classifyTransportError(one);
      expect(problem).toEqual({ kind: 'blocked', text: error.message });
      expect(mayHaveArrived(problem)).toBe(false);
    }
  });

  it('the execution was stopped before', () => {
    expect(mayHaveArrived({ kind: 'cancelled' })).toBe(false);
  });
});

describe('it may have been received', () => {
  it.each([
    ...nodeErrors('ECONNRESET read', 'ECONNRESET', 'EPIPE write', 'EHOSTUNREACH read', 'ENETUNREACH'),
    ...nodeErrors('ERR_CANCELED', 'ERR_BAD_RESPONSE', 'UND_ERR_SOCKET', 'ERR_SOMETHING_NEW'),
    ...nodeErrors('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
    nodeError('ECONNABORTED', undefined, 'Request aborted'),
    nodeError('EPROTO', 'read', 'read EPROTO bad record mac'),
  ])('is a lost connection: $code $message', (cause) => expectProblem(cause, 'connectionLost'));

  it.each([
    axiosError('ECONNABORTED', undefined, 'timeout of 300ms exceeded'),
    axiosError('ETIMEDOUT', nodeError('ETIMEDOUT', 'read')),
    axiosError('ESOCKETTIMEDOUT'),
  ])('is a time-out: $message', (error) => {
    for (const one of [error, asThrownByNode(error)]) {
      expect(classifyTransportError(one)).toEqual({ kind: 'timeout' });
    }
    expect(mayHaveArrived({ kind: 'timeout' })).toBe(true);
  });

  it('takes an answer that is no HTTP for something other than the gateway, and what it does not know for a lost one', () => {
    expect(classifyTransportError(axiosError('HPE_INVALID_CONSTANT'))).toEqual({ kind: 'notGateway' });
    for (const thrown of [undefined, null, 'text', 42, [], {}, new Error('odd')])
      expect(classifyTransportError(thrown)).toEqual({ kind: 'connectionLost' });
  });

  it('survives anything that can be thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(typeof explain(classifyTransportError(thrown)).message).toBe('string');
      }),
    );
  });
});
