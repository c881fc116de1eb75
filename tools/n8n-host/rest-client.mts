import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { until } from '../until.mts';
import { decodeExecution, isWhole } from './execution.mts';
import type { Execution, RawExecution } from './execution.mts';
import type { WorkflowJson } from './workflow.mts';

export type { Execution } from './execution.mts';
export type { WorkflowJson } from './workflow.mts';

export type Owner = Record<'email' | 'password', string>;

export type WorkflowReference = Record<'id' | 'versionId', string>;
export type CredentialReference = Record<'id' | 'name', string>;
type ExecutionSummary = Record<'id' | 'status', string>;

interface Settings {
  /** Only for who is logged in. */
  versionCli: string;
  userManagement: { showSetupOnFirstLoad?: boolean };
}

/** What n8n says of a node type. */
interface NodeTypeSummary {
  name: string;
  displayName: string;
  version: number | number[];
}

/** Refusal of n8n, in its own words. */
export class N8nRefusal extends Error {
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

const UNFINISHED = ['new', 'running'];

/** Cookie of a session. */
export type Session = Record<'name' | 'value', string>;

/**
 * What the editor does, over n8n's internal REST interface.
 * Each method throws N8nRefusal when n8n refuses, and an Error naming what it waited for when time is up.
 */
export class N8nClient {
  readonly url: string;

  private cookie: string;

  readonly version: string;

  /** Paths of the workflows and credentials that this client has made. */
  private readonly made: string[] = [];

  /** The list has many megabytes, and n8n knows no other types until it starts anew. */
  private knownTypes: Promise<NodeTypeSummary[]> | undefined;

  /**
   * @param url address of n8n without a slash at the end
   * @param session session of a client that is logged in; n8n lets only a few log in within a minute
   * @param version version of n8n, where it isn't the newest
   */
  constructor(url: string, session?: Session, version = '2.41') {
    this.url = url;
    this.version = version;
    this.cookie = session ? `${session.name}=${session.value}` : '';
  }

  /** A client of an n8n of any version, logged in as the owner that it has or, where it has none yet, gets. */
  static async connect(url: string, owner: Owner): Promise<N8nClient> {
    const client = new N8nClient(url);
    const settings = async () => await client.call<Settings>('GET', '/settings');
    if ((await settings()).userManagement.showSetupOnFirstLoad) await client.setUpOwner(owner);
    else await client.logIn(owner);
    return new N8nClient(url, client.session, (await settings()).versionCli);
  }

  /** Whether this n8n is of a version such as 2.20, or newer: its REST interface wants other things then. */
  private isFrom(version: string): boolean {
    return this.version.localeCompare(version, 'en', { numeric: true }) >= 0;
  }

  /** Calls n8n's REST interface; gives the `data` of the answer. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/rest${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        // n8n closes a connection that was idle for five seconds, maybe while the next call is on its way.
        connection: 'close',
        // Packing is much of what n8n does for an answer, and in vain on loopback.
        'accept-encoding': 'identity',
        'browser-id': 'tools',
        'push-ref': 'tools',
        ...(this.cookie && { cookie: this.cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(`${method} ${path}`, response.status, text);
    return (JSON.parse(text) as { data: T }).data;
  }

  /** Makes the owner account of a new n8n and stays logged in as the owner. */
  async setUpOwner({ email, password }: Owner): Promise<void> {
    await this.call('POST', '/owner/setup', { email, password, firstName: 'Test', lastName: 'Owner' });
  }

  async logIn({ email, password }: Owner): Promise<void> {
    await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
  }

  /** Cookie of the session, for a browser. */
  get session(): Session {
    const line = this.cookie.split('; ').at(-1) ?? '';
    const end = line.indexOf('=');
    return { name: line.slice(0, end), value: line.slice(end + 1) };
  }

  /** Descriptions of all node types that n8n has loaded. */
  async nodeTypes(): Promise<NodeTypeSummary[]> {
    const response = await fetch(`${this.url}/types/nodes.json`, { headers: { cookie: this.cookie } });
    return (await response.json()) as NodeTypeSummary[];
  }

  /** The newest version of a node type. */
  async latestVersion(nodeType: string): Promise<number> {
    const versions = (await (this.knownTypes ??= this.nodeTypes()))
      .filter(({ name }) => name === nodeType)
      .flatMap(({ version }) => version);
    return Math.max(...versions);
  }

  async createCredential(name: string, type: string, data: IDataObject): Promise<CredentialReference> {
    const { id } = await this.call<CredentialReference>('POST', '/credentials', { name, type, data });
    this.made.push(`/credentials/${id}`);
    return { id, name };
  }

  /** Tests a credential as the dialog of the editor does, before it is saved where n8n allows that. */
  async testCredential(
    name: string,
    type: string,
    data: IDataObject,
  ): Promise<{ status: string; message: string }> {
    const id = this.isFrom('2.41') ? '' : (await this.createCredential(name, type, data)).id;
    return await this.call('POST', '/credentials/test', { credentials: { id, name, type, data } });
  }

  async createWorkflow(workflow: WorkflowJson): Promise<WorkflowReference> {
    const state = this.isFrom('2.20') ? {} : { active: false };
    const made = await this.call<WorkflowReference>('POST', '/workflows', {
      ...{ settings: {}, ...workflow, ...state },
    });
    this.made.push(`/workflows/${made.id}`);
    return made;
  }

  /** Removes the workflows, with their executions, and the credentials that this client has made. */
  async removeMade(): Promise<void> {
    for (const path of this.made.splice(0)) {
      if (path.startsWith('/workflows/')) await this.call('POST', `${path}/archive`, {});
      await this.call('DELETE', path);
    }
  }

  /** Activates a workflow. Its production webhooks may answer 404 for a moment after that. */
  async activate({ id, versionId }: WorkflowReference): Promise<void> {
    if (this.isFrom('2.0')) await this.call('POST', `/workflows/${id}/activate`, { versionId });
    else await this.call('PATCH', `/workflows/${id}`, { active: true, versionId });
  }

  async deactivate({ id }: Pick<WorkflowReference, 'id'>): Promise<void> {
    await this.call('POST', `/workflows/${id}/deactivate`, {});
  }

  /** Runs a workflow from one of its triggers, as the button of the editor does; gives the execution's id. */
  async runManually(workflowId: string, trigger: string): Promise<string> {
    const triggerToStartFrom = { name: trigger };
    const body = this.isFrom('2.20')
      ? { triggerToStartFrom }
      : { triggerToStartFrom, workflowData: await this.call('GET', `/workflows/${workflowId}`) };
    return (await this.call<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, body))
      .executionId;
  }

  /** Makes a workflow, runs it and gives its finished (or waiting) execution. */
  async runToEnd(workflow: WorkflowJson, trigger: string): Promise<Execution> {
    const { id } = await this.createWorkflow(workflow);
    return await this.waitForExecution(await this.runManually(id, trigger));
  }

  async getExecution(id: string): Promise<Execution> {
    return decodeExecution(await this.call<RawExecution>('GET', `/executions/${id}`));
  }

  /** The execution; undefined while n8n has saved no data yet, for which it answers 500, or only the new status. */
  private async findExecution(id: string): Promise<Execution | undefined> {
    try {
      const execution = await this.getExecution(id);
      return isWhole(execution) ? execution : undefined;
    } catch (error) {
      if (error instanceof N8nRefusal && error.status === 500) return undefined;
      throw error;
    }
  }

  /** Waits until an execution has ended or sleeps. */
  async waitForExecution(id: string): Promise<Execution> {
    return await this.whenNot(UNFINISHED, id);
  }

  /** Waits until an execution, which may sleep meanwhile, has ended. */
  async waitUntilAwake(id: string): Promise<Execution> {
    return await this.whenNot([...UNFINISHED, 'waiting'], id);
  }

  private async whenNot(statuses: string[], id: string): Promise<Execution> {
    return await until(`execution ${id} to be no longer ${statuses.join(', ')}`, async () => {
      const execution = await this.findExecution(id);
      return statuses.includes(execution?.status ?? 'new') ? undefined : execution;
    });
  }

  /** Executions of a workflow, newest first, 100 at most. */
  async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    const path = `/executions?filter=${filter}&limit=100`;
    return (await this.call<{ results: ExecutionSummary[] }>('GET', path)).results;
  }

  /** Waits until a workflow has at least so many executions that ended or sleep; gives them, newest first. */
  async waitForExecutions(workflowId: string, count: number): Promise<Execution[]> {
    const ended = await this.untilExecutions(workflowId, count);
    return await Promise.all(ended.map(async ({ id }) => await this.waitForExecution(id)));
  }

  /** Waits for the same without reading them: their data is most of what they cost. */
  async untilExecutions(workflowId: string, count: number): Promise<ExecutionSummary[]> {
    return await until(`${count} executions of ${workflowId}`, async () => {
      const all = await this.listExecutions(workflowId);
      const found = all.filter(({ status }) => !UNFINISHED.includes(status));
      return found.length >= count ? found : undefined;
    });
  }

  /** What the list of a resource locator shows. `path` is the parameter's, e.g. `parameters.smsSignature`. */
  async listSearch(request: {
    nodeType: string;
    methodName: string;
    path: string;
    parameters?: IDataObject;
    credentials?: Record<string, CredentialReference>;
    filter?: string;
  }): Promise<INodeListSearchItems[]> {
    const { nodeType, methodName, path, parameters = {}, credentials = {}, filter } = request;
    const body = {
      nodeTypeAndVersion: { name: nodeType, version: 1 },
      methodName,
      path,
      currentNodeParameters: parameters,
      credentials,
      ...(filter !== undefined && { filter }),
    };
    const url = '/dynamic-node-parameters/resource-locator-results';
    return (await this.call<{ results: INodeListSearchItems[] }>('POST', url, body)).results;
  }

  /** Posts JSON to a production webhook, waiting while a just activated one still answers 404. */
  async postWebhook(path: string, body: unknown): Promise<Response> {
    return await until(`webhook ${path}`, async () => {
      const response = await fetch(`${this.url}/webhook/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return response.status === 404 ? undefined : response;
    });
  }

  /** Waits until a production webhook or form page is registered. It asks with a method that starts nothing. */
  async untilRegistered(path: string): Promise<void> {
    await until(`${path} to be registered`, async () => {
      const response = await fetch(`${this.url}/${path}`, { method: 'OPTIONS' });
      return response.status === 404 ? undefined : true;
    });
  }
}
