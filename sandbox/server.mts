import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import { makeAccount } from './account.mts';
import type { Account } from './account.mts';
import { act } from './actions.mts';
import type { Action } from './actions.mts';
import { handleApi } from './api.mts';
import type { ConfigChange, Outcome, SandboxConfig } from './config.mts';
import { handleHealth, handleMcp } from './connector/http.mts';
import { Sessions } from './connector/sessions.mts';
import { countsOf, handleControl, resetAll } from './control.mts';
import type { ControlParts, SandboxCounts } from './control.mts';
import { Faults } from './faults.mts';
import type { FaultPlan } from './faults.mts';
import { Gateway } from './gateway.mts';
import { htmlPage, send, sendJson } from './http.mts';
import { Live } from './live.mts';
import type { Messages } from './messages.mts';
import { hostProblem } from './own-host.mts';
import { handlePage, isPagePath } from './pages.mts';
import { reportError } from './report.mts';
import { Requests } from './requests.mts';
import type { RecordedRequest } from './requests.mts';
import type { TemplateBook } from './operations/templates.mts';
import type { CallbackRecord, JsonObject, SandboxMessage } from './types.mts';

export type { Account } from './account.mts';
export type { Outcome, OutcomeRule, OutcomeStep, Reply, SandboxConfig } from './config.mts';
export type { SandboxCounts } from './control.mts';
export type { FaultKind, FaultPlan, FaultContext } from './faults.mts';
export type { RecordedRequest } from './requests.mts';
export type { CallbackRecord, SandboxMessage } from './types.mts';

export interface SandboxOptions {
  /** Port on 127.0.0.1; 0 (default): any free one. */
  port?: number;
  /**
   * How others reach this machine, where it isn't only this machine that does: an address of it, which is then listened on
   * in place of 127.0.0.1, or a name by which they get to 127.0.0.1. Whoever reaches it can use the sandbox.
   */
  host?: string;
  /** Key of the only account; default `sandbox-key`. Ignored when `accounts` is given. */
  key?: string;
  /** Accounts, each filled up with usable values. */
  accounts?: Array<Partial<Account>>;
  /** Settings that differ from the defaults. */
  config?: ConfigChange;
  /** Faults from the start, as `faults.add` takes them. */
  faults?: FaultPlan[];
}

/** A running stand-in gateway. */
export interface Sandbox {
  /** {base_url} of the contract. */
  readonly baseUrl: string;
  /** {async_url} of the contract. */
  readonly asyncUrl: string;
  /** {mcp_url} of the contract. */
  readonly mcpUrl: string;
  /** The phone page for a browser. */
  readonly phonePageUrl: string;
  /** The control API, without a slash at the end. */
  readonly controlUrl: string;
  readonly port: number;
  /** Current settings; change them with `configure`. */
  readonly config: Readonly<SandboxConfig>;
  /** Requests received, oldest first, within the limits of `keep`. */
  readonly requests: RecordedRequest[];
  /** Messages accepted, with counts for each `id`. */
  readonly messages: Messages;
  /** Callbacks sent or tried, oldest first. */
  readonly callbacks: CallbackRecord[];
  readonly faults: Faults;
  /** Sessions of the connector: how many were opened, and a way to drop them. */
  readonly sessions: Sessions;
  /** Changes settings. @throws Error for a setting that does not exist */
  configure(change: ConfigChange): void;
  /** The account of a key, or the first one. @throws Error when there is none */
  account(key?: string): Account;
  /** Adds an account or replaces the one with the same key. */
  addAccount(account: Partial<Account>): Account;
  /** Templates of an account. */
  templates(key?: string): TemplateBook;
  /** Decides the outcome of each message accepted from now on; undefined leaves it to the settings. */
  decideOutcome(chooser: ((message: SandboxMessage) => Outcome | undefined) | undefined): void;
  /**
   * What a person does on the phone page: `status` {status, type?, error?, duration?, silent?}, `fail` {error?},
   * `reply` {message, media?}, `dtmf` {digit, duration?}.
   * @throws Error for an unknown message, or where the action does not fit it
   */
  act(msgId: number, action: Action, input?: JsonObject): SandboxMessage;
  /** Operations accepted, requests received and so on. */
  counts(): SandboxCounts;
  /**
   * Resolves when the queue is empty, all outcomes have happened and all callbacks are done.
   * @throws Error when that takes longer than `timeoutMs` (default: a minute)
   */
  settled(timeoutMs?: number): Promise<void>;
  /** Forgets requests, messages, templates, callbacks and faults; settings and accounts stay. */
  reset(): void;
  /** Ends everything: connections, timers, callbacks under way. */
  close(): Promise<void>;
}

interface ServerParts extends ControlParts {
  sessions: Sessions;
  /** As in SandboxOptions. */
  host: string;
}

/**
 * Starts a stand-in gateway on 127.0.0.1, unless `host` says otherwise.
 * @returns the running sandbox, once it listens
 * @throws InputError for settings, accounts or faults that can't be; Error when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const gateway = new Gateway();
  const { host = '127.0.0.1' } = options;
  gateway.configure(options.config ?? {});
  const accounts = options.accounts ?? [options.key === undefined ? {} : { key: options.key }];
  for (const account of accounts) addAccount(gateway, account);
  const requests = new Requests(
    () => gateway.config.keep,
    (record) => gateway.events.emit('request', record),
  );
  const faults = new Faults();
  const parts: ServerParts = {
    gateway,
    requests,
    faults,
    sessions: new Sessions(),
    live: new Live({ gateway, requests }),
    host,
    addresses: () => addresses,
  };
  for (const plan of options.faults ?? []) parts.faults.add(plan);

  const handler = (request: IncomingMessage, response: ServerResponse) => {
    // Without a listener, an error of a connection that is gone would end the process.
    response.on('error', reportError);
    route(parts, request, response).catch((error: unknown) => crash(response, error));
  };
  const server = http.createServer(handler);
  server.keepAliveTimeout = 60_000;
  await listen(server, options.port ?? 0, isIP(host) ? host : '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  const address = `http://${host}:${port}`;
  const addresses = {
    baseUrl: address,
    asyncUrl: address,
    mcpUrl: address,
    phonePageUrl: `${address}/phone`,
    controlUrl: `${address}/sandbox`,
  };
  return {
    ...addresses,
    port,
    config: gateway.config,
    requests: requests.list,
    messages: gateway.kept.messages,
    callbacks: gateway.delivery.callbacks.records,
    faults: parts.faults,
    sessions: parts.sessions,
    configure: (change) => gateway.configure(change),
    account: (key) => accountOf(gateway, key),
    addAccount: (account) => addAccount(gateway, account),
    templates: (key) => gateway.book(accountOf(gateway, key)),
    decideOutcome: (chooser) => {
      gateway.delivery.outcomes.chooser = chooser;
    },
    act: (msgId, action, input = {}) => act(gateway, msgId, action, input),
    counts: () => countsOf(parts),
    settled: (timeoutMs = 60_000) => settled(gateway, timeoutMs),
    reset: () => resetAll(parts),
    close: () => closeAll(parts, server),
  };
}

async function route(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const problem = hostProblem(request, parts.host);
  if (problem) {
    request.resume();
    sendJson(response, 403, { success: false, error: problem });
    return;
  }
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/api/json.php') return handleApi(parts, 'sync', request, response);
  if (path === '/v1/json') return handleApi(parts, 'async', request, response);
  if (path === '/mcp') return handleMcp(parts, parts.sessions, request, response);
  if (path === '/health') return handleHealth(parts, request, response);
  if (path.startsWith('/sandbox/')) return handleControl(parts, request, response);
  if (isPagePath(path)) return handlePage(path, request, response);
  const page = htmlPage('404 Not Found');
  parts.requests.add(request, 'other', Buffer.alloc(0)).answered(404, page);
  request.resume();
  send(response, 404, 'text/html', page);
}

function crash(response: ServerResponse, error: unknown): void {
  reportError(error);
  send(response, 500, 'text/html', htmlPage('500 Sandbox error'));
}

function listen(server: http.Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      // Such as too many connections at once; without a listener it would end the process.
      server.on('error', reportError);
      resolve();
    });
  });
}

function addAccount(gateway: Gateway, given: Partial<Account>): Account {
  const account = makeAccount(given);
  gateway.accounts.set(account.key, account);
  return account;
}

function accountOf(gateway: Gateway, key?: string): Account {
  const account = key === undefined ? [...gateway.accounts.values()][0] : gateway.accounts.get(key);
  if (!account) throw new Error('No such account');
  return account;
}

async function settled(gateway: Gateway, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (gateway.schedule.size > 0 || gateway.delivery.callbacks.pending > 0) {
    if (Date.now() > end) throw new Error(`The sandbox did not settle within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function closeAll({ gateway, live }: ControlParts, server: http.Server): Promise<void> {
  gateway.close();
  live.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
