/** Errors of each kind, produced through the sandbox and read as a user of n8n sees them; unit/errors has every entry. */
import { OPERATION_CASES } from '../support/operation-cases.mts';
import type { WireType } from '../../nodes/gateway/contract/operations.ts';
import type { FaultPlan, Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { selfSignedCertificate } from '../support/certificate.mts';
import { CREDENTIAL, credentialsFor, runNode } from '../support/engine.mts';
import { startWebServer } from '../support/web-server.mts';

/** Tests of this file wait more than they compute, so they run side by side, each with a sandbox of its own. */
async function withSandbox<T>(body: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox();
  try {
    return await body(sandbox);
  } finally {
    await sandbox.close();
  }
}

const caseOf = (type: WireType) => {
  const found = OPERATION_CASES.find(({ wire }) => wire.type === type);
  if (!found) throw new Error(`No case sends ${type}`);
  return found;
};

const ITEM = [{ id: 1001, phone: '380501234561' }];

/** Runs one operation of a type with a fault, and gives the error that stops the node. */
async function errorOf(type: WireType, fault: FaultPlan, change: Record<string, string> = {}) {
  const { resource, operation, parameters } = caseOf(type);
  // On a busy machine an answer may take more than a second.
  const timeout = fault.kind === 'hang-before' ? 1 : 30;
  const run = await withSandbox(async (sandbox) => {
    sandbox.faults.add({ sparesStatus: false, ...fault });
    return await runNode({
      parameters: { resource, operation, ...parameters, options: { timeout } },
      items: ITEM,
      credentials: { [CREDENTIAL]: { ...credentialsFor(sandbox)[CREDENTIAL], ...change } },
    });
  });
  expect(run.status).toBe('error');
  return {
    message: String(run.error?.message),
    description: String(run.error?.description),
    error: run.error,
  };
}

it.concurrent.each([
  ['Access denied', 'sms', 'The gateway did not accept the API key ("Access denied")'],
  [
    'Error in Alpha-name',
    'sms',
    'did not accept the sender "TestSender" (SMS) ("Error in Alpha-name") (id 1001)',
  ],
  ['Operator not supported', 'call/otp', "The recipient's operator is not supported"],
  ['Zorble 17: ünknown reason', 'sms', '"Zorble 17: ünknown reason" (id 1001)'],
] as const)('"%s" for %s is quoted and explained', async (error, type, words) => {
  // Words in a refusal of the whole request prove nothing, unless the contract lists them.
  const kind = error === 'Access denied' ? 'refuse' : 'refuse-items';
  const { message, description, error: thrown } = await errorOf(type, { kind, error });
  expect(message).toContain(words);
  expect(message).toContain(`"${error}"`);
  expect(description.length).toBeGreaterThan(40);
  // What n8n can act on.
  if (error === 'Access denied') expect(thrown).toMatchObject({ failure: { cause: 'credential-invalid' } });
});

describe('"Duplicate message id"', () => {
  const send = async (sandbox: Sandbox, isRefused: boolean, messageId: string) => {
    if (isRefused) sandbox.faults.add({ kind: 'refuse-items', error: 'Duplicate message id', times: 1 });
    const { resource, operation, parameters } = caseOf('sms');
    return await runNode({
      parameters: { resource, operation, ...parameters, messageId },
      items: ITEM,
      credentials: credentialsFor(sandbox),
    });
  };

  it.concurrent.each(['1001', ''])(
    'is a refusal where nothing shows that "%s" was sent',
    async (messageId) => {
      const { status, error } = await withSandbox(async (sandbox) => await send(sandbox, true, messageId));
      expect(status).toBe('error');
      expect(error?.message).toContain('The gateway already has a message with this ID');
      if (messageId !== '') expect(error?.message).toContain('(id 1001)');
      expect(error?.description).toContain("change 'Message ID' or leave it empty");
    },
  );

  it.concurrent('marks what a run before sent with the same Message ID', async () => {
    const [first, { status, json }] = await withSandbox(async (sandbox) => [
      await send(sandbox, false, '1001'),
      await send(sandbox, true, '1001'),
    ]);
    expect(first.json[0]).not.toHaveProperty('duplicate');
    expect(status).toBe('success');
    expect(json).toMatchObject([{ id: 1001, duplicate: true }]);
  });
});

it.concurrent('a redirect is not followed, so that the key stays here', async () => {
  const target = await startWebServer((response) => response.end());
  const server = await startWebServer((response) => response.writeHead(307, { location: target.url }).end());
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl: server.url });
  await server.close();
  await target.close();
  expect(message).toContain('redirects to another address');
  expect(target.received).toEqual([]);
});

it.concurrent('a certificate that is not trusted is named', async () => {
  const secure = await startSandbox({ tls: selfSignedCertificate() });
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl: secure.baseUrl });
  await secure.close();
  expect(message).toContain("The gateway's certificate is not trusted");
});

it.concurrent.each([
  ['http://gateway.invalid', /address (does not exist|could not be looked up)/],
  ['', /'Base URL' of the credential is empty/],
  ['gateway.example', /'Base URL' of the credential is not a web address/],
])('the address "%s" in the credential is explained', async (baseUrl, words) => {
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl });
  expect(message).toMatch(words);
});

it.concurrent(
  'an answer that does not come in time says that it is not known whether the message was taken',
  async () => {
    const { message, description } = await errorOf('sms', { kind: 'hang-before' });
    expect(message).toContain('Unknown whether this was sent');
    expect(message).toContain('The gateway did not answer in time');
    expect(description).toContain('Get Status');
    expect(message).toContain('(id 1001)');
  },
);
