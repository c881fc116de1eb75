import { parse } from 'flatted';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

export interface WorkflowJson {
  name: string;
  nodes: IDataObject[];
  connections: IDataObject;
  settings?: IDataObject;
  active?: boolean;
}

export interface Execution {
  id: string;
  status: string;
  mode: string;
  data: IRunExecutionData;
  /** Output items of a node's last run; the second output is the error branch. */
  items(node: string, output?: number): INodeExecutionData[];
}

export interface Owner {
  email: string;
  password: string;
}

const sleep = async (milliseconds: number) => await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the editor does over n8n's internal REST interface. Every method throws with n8n's own words on a refusal. */
export class N8nClient {
  readonly url: string;

  private cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  /** Calls n8n's REST interface; gives the `data` of the answer. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/rest${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'browser-id': 'tests',
        'push-ref': 'tests',
        ...(this.cookie && { cookie: this.cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  /** Makes the owner account of a new n8n and stays logged in as the owner. */
  async setUpOwner({ email, password }: Owner): Promise<void> {
    await this.call('POST', '/owner/setup', { email, password, firstName: 'Test', lastName: 'Owner' });
  }

  async logIn({ email, password }: Owner): Promise<void> {
    await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
  }

  /** The cookie of the session, for a browser. */
  get session(): { name: string; value: string } {
    const [name, ...value] = this.cookie.split('; ').at(-1)?.split('=') ?? [];
    return { name, value: value.join('=') };
  }

  async createCredential(name: string, type: string, data: IDataObject): Promise<{ id: string; name: string }> {
    return await this.call('POST', '/credentials', { name, type, data });
  }

  /** Tests a credential as the dialog of the editor does. */
  async testCredential(name: string, type: string, data: IDataObject): Promise<{ status: string; message: string }> {
    return await this.call('POST', '/credentials/test', { credentials: { id: '', name, type, data } });
  }

  async createWorkflow(workflow: WorkflowJson): Promise<{ id: string; versionId: string }> {
    return await this.call('POST', '/workflows', { settings: {}, ...workflow });
  }

  /** Activates a workflow and waits until its production webhooks answer, when `webhookPath` is given. */
  async activate(workflow: { id: string; versionId: string }): Promise<void> {
    await this.call('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
  }

  async deactivate(workflow: { id: string }): Promise<void> {
    await this.call('POST', `/workflows/${workflow.id}/deactivate`, {});
  }

  /** Runs a workflow from one of its triggers, as the button of the editor does; gives the execution's number. */
  async run(workflowId: string, trigger: string): Promise<string> {
    const { executionId } = await this.call<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
      triggerToStartFrom: { name: trigger },
    });
    return executionId;
  }

  /** Makes a workflow, runs it and gives its finished execution. */
  async runToEnd(workflow: WorkflowJson, trigger: string, timeout = 60_000): Promise<Execution> {
    const { id } = await this.createWorkflow(workflow);
    return await this.waitForExecution(await this.run(id, trigger), timeout);
  }

  async getExecution(id: string): Promise<Execution> {
    const raw = await this.call<{ id: string; status: string; mode: string; data: string }>(
      'GET',
      `/executions/${id}`,
    );
    const data = parse(raw.data) as IRunExecutionData;
    return {
      ...raw,
      data,
      items: (node, output = 0) => data.resultData.runData[node]?.at(-1)?.data?.main[output] ?? [],
    };
  }

  /** Waits until an execution has ended or sleeps. Throws when it does neither in time. */
  async waitForExecution(id: string, timeout = 60_000): Promise<Execution> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const execution = await this.getExecution(id);
      if (!['new', 'running'].includes(execution.status)) return execution;
      if (Date.now() > deadline) throw new Error(`Execution ${id} is still ${execution.status}`);
      await sleep(100);
    }
  }

  /** The executions of a workflow, newest first. */
  async listExecutions(workflowId: string): Promise<Array<{ id: string; status: string }>> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    const { results } = await this.call<{ results: Array<{ id: string; status: string }> }>(
      'GET',
      `/executions?filter=${filter}&limit=100`,
    );
    return results;
  }

  /** Waits until a workflow has at least so many finished executions; gives them, newest first. */
  async waitForExecutions(workflowId: string, count: number, timeout = 30_000): Promise<Array<{ id: string; status: string }>> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const all = await this.listExecutions(workflowId);
      const ended = all.filter(({ status }) => !['new', 'running'].includes(status));
      if (ended.length >= count) return ended;
      if (Date.now() > deadline) throw new Error(`${ended.length} of ${count} executions after ${timeout} ms`);
      await sleep(100);
    }
  }

  /** Posts to a production webhook, which answers 404 for a moment after its workflow was activated. */
  async postWebhook(path: string, body: unknown, timeout = 10_000): Promise<Response> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const response = await fetch(`${this.url}/webhook/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (response.status !== 404 || Date.now() > deadline) return response;
      await sleep(100);
    }
  }
}
