/** Each entry of the error catalogue, produced through the sandbox and read as a user of n8n sees it. */
import { OPERATION_CASES } from '../support/operation-cases.mts';
import type { WireType } from '../../nodes/gateway/contract/operations.ts';
import { STATUS_ENTRIES } from '../../nodes/gateway/errors/http-statuses.ts';
import { TEXT_ENTRIES } from '../../nodes/gateway/errors/text-entries.ts';
import { PLAIN_WORDS } from '../../nodes/gateway/errors/words.ts';
import type { FaultPlan, Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { selfSignedCertificate } from '../support/certificate.mts';
import { CREDENTIAL, credentialsFor, runNode } from '../support/engine.mts';
import { REFUSALS } from '../support/gateway-refusals.mts';
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

const STATUS = { resource: 'message', operation: 'getStatus', parameters: { messageId: '1001' } };

const caseOf = (type: WireType) => {
  if (type === 'status') return STATUS;
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

/** Refusals that pass by themselves, or that hide whether something was taken, have tests of their own. */
const PASSING = new Set(['rate-limited', 'gateway-unavailable', 'gateway-fault']);
const rows = REFUSALS.map(([text, code, wireType]) => ({ text, code, wireType }));
/** A text for each entry; what belongs to which entry is in unit/errors/gateway-texts. */
const shown = new Map(
  rows
    .filter(({ code }) => !PASSING.has(code) && code !== 'duplicate-id')
    .map((row) => [row.code, row] as const),
);

it.concurrent.each([...shown.values()])(
  '"$text" ($code) is quoted and explained',
  async ({ text, code, wireType }) => {
    const entry = TEXT_ENTRIES.find((one) => one.code === code);
    // Words in a refusal of the whole request prove nothing, unless the contract lists them.
    const kind = text === 'Access denied' ? 'refuse' : 'refuse-items';
    const { message, description } = await errorOf(wireType ?? 'sms', { kind, error: text });
    // A problem of the account concerns no single message.
    if (entry?.account) expect(message).not.toContain('(id 1001)');
    else if (wireType === undefined || wireType === 'sms') expect(message).toMatch(/ \(id 1001\)$/);
    expect(message).toContain(entry?.title(PLAIN_WORDS));
    expect(message).toContain(`"${text}"`);
    expect(description.length).toBeGreaterThan(40);
    expect(description).not.toContain('undefined');
  },
);

it.concurrent('a text without an entry is passed on as it is', async () => {
  const { message } = await errorOf('sms', { kind: 'refuse-items', error: 'Zorble 17: ünknown reason' });
  expect(message).toContain('"Zorble 17: ünknown reason"');
});

const duplicates = rows.filter(({ code }) => code === 'duplicate-id');

const sendWithFault = async (sandbox: Sandbox, fault: FaultPlan | undefined, messageId: string) => {
  if (fault) sandbox.faults.add(fault);
  const { resource, operation, parameters } = caseOf('sms');
  return await runNode({
    parameters: { resource, operation, ...parameters, messageId },
    items: ITEM,
    credentials: credentialsFor(sandbox),
  });
};

describe.each(duplicates)('"$text"', ({ text }) => {
  const fault: FaultPlan = { kind: 'refuse-items', error: text, times: 1 };

  it.concurrent(
    'is a refusal that says which id is taken, where nothing shows that it was sent',
    async () => {
      const { status, error } = await withSandbox(
        async (sandbox) => await sendWithFault(sandbox, fault, '1001'),
      );
      expect(status).toBe('error');
      expect(error?.message).toContain('The gateway already has a message with this ID');
      expect(error?.message).toContain('(id 1001)');
      expect(error?.description).toContain("change 'Message ID' or leave it empty");
    },
  );

  it.concurrent('marks what a run before sent with the same Message ID', async () => {
    const [first, { status, json }] = await withSandbox(async (sandbox) => [
      await sendWithFault(sandbox, undefined, '1001'),
      await sendWithFault(sandbox, fault, '1001'),
    ]);
    expect(first.json[0]).not.toHaveProperty('duplicate');
    expect(status).toBe('success');
    expect(json).toMatchObject([{ id: 1001, duplicate: true }]);
  });

  it.concurrent('is a refusal of an id that the node made', async () => {
    const { status, error } = await withSandbox(async (sandbox) => await sendWithFault(sandbox, fault, ''));
    expect(status).toBe('error');
    expect(error?.message).toContain('The gateway already has a message with this ID');
  });
});

/** What is asked about first or waited for has its own tests; what ends at once is read here. */
const AT_ONCE = Object.entries(STATUS_ENTRIES).filter(
  ([status]) => Number(status) < 500 && !['408', '429'].includes(status),
);

it.concurrent.each(AT_ONCE)('HTTP %s is explained', async (status, { title }) => {
  // Where nobody answers `status` either, it takes longer to know no more.
  const fault: FaultPlan = { kind: 'status-before', status: Number(status), sparesStatus: true };
  const { message, description } = await errorOf('sms', fault);
  expect(message).toContain(title(PLAIN_WORDS));
  expect(message).toContain(status);
  expect(description.length).toBeGreaterThan(40);
});

it.concurrent('a web page instead of an answer is told from a gateway', async () => {
  const server = await startWebServer((response) => {
    response.setHeader('content-type', 'text/html').end('<html>Hi</html>');
  });
  const baseUrl = server.url;
  const { message, description } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl });
  await server.close();
  expect(message).toContain("The answer is not the gateway's: a web page came back");
  expect(description).toContain("'Base URL'");
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

it.concurrent('a certificate that is not trusted', async () => {
  const secure = await startSandbox({ tls: selfSignedCertificate() });
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl: secure.baseUrl });
  await secure.close();
  expect(message).toContain("The gateway's certificate is not trusted");
});

it.concurrent('an address whose name does not exist', async () => {
  const change = { baseUrl: 'http://gateway.invalid' };
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, change);
  expect(message).toMatch(/address (does not exist|could not be looked up)/);
});

it.concurrent.each([
  ['', "'Base URL' of the credential is empty"],
  ['gateway.example', "'Base URL' of the credential is not a web address"],
])('the address "%s" in the credential', async (baseUrl, text) => {
  const { message } = await errorOf('sms', { kind: 'slow', times: 0 }, { baseUrl });
  expect(message).toContain(text);
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

it.concurrent('says by NodeApiError.failure what n8n can act on', async () => {
  const { error } = await errorOf('sms', { kind: 'refuse', error: 'Access denied' });
  expect(error).toMatchObject({ failure: { cause: 'credential-invalid' } });
});
