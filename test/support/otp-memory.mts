/** Runs of the one-time password operations with n8n's context, its store and the gateway in memory. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { sendOtp } from '../../nodes/MessagingGateway/operations/send-otp.ts';
import { verifyOtp } from '../../nodes/MessagingGateway/operations/verify-otp.ts';
import { slots } from '../../nodes/MessagingGateway/otp/limits.ts';
import type { ItemResult } from '../../nodes/MessagingGateway/run/item-result.ts';
import { Run } from '../../nodes/MessagingGateway/run/run.ts';
import { sendForm, verifyForm } from './otp.mts';
import { streamed } from './streamed.mts';

/** What the node's context holds beside the items. */
export interface RunSettings {
  onError?: 'stopWorkflow' | 'continueRegularOutput';
  /** The node's memory in the run data; the same object is a repeated try of the same run. */
  memory?: Record<string, IDataObject>;
  executionId?: string;
  mode?: 'trigger' | 'retry';
}

/** The `data` of the result item of one operation, or its error. */
type Answer = (operation: IDataObject) => IDataObject;

const accept: Answer = ({ id, type }) => ({
  success: true,
  data: { id, msg_id: 77, ...(type === 'call/otp' && { code: '4711' }) },
});

/** The field of the item that an expression such as `={{ $json.phone }}` takes. */
const fieldOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^=\{\{ \$json\.(\w+) \}\}$/.exec(value)?.[1] : undefined;

export const API_KEY = 'key-for-tests';

/** A database that is locked at all tries of one record. */
export const LOCKED: readonly unknown[] = Array.from({ length: 2 }, () => new Error('locked'));

/** An answer with the `id` of another message, and a `status` that fails, so that nobody knows what became of it. */
export const unclear: Answer = ({ id, type }) =>
  type === 'status'
    ? { success: false, error: 'Internal error', data: { id } }
    : { success: true, data: { id: 1 } };

/** The same run, whose waits take no time. */
const atOnce = (run: Run): Run => Object.assign(run, { sleep: async () => await Promise.resolve() });

/** n8n's store of what was processed, by workflow. */
class ProcessedStore {
  /** Names that were recorded, as they came. */
  readonly recorded: string[] = [];

  /** What the next calls throw. */
  readonly failures: unknown[] = [];

  private readonly known = new Map<string, Set<string>>();

  async record(workflow: string | undefined, names: string[]) {
    const known = await this.of(workflow);
    this.recorded.push(...names);
    const isNew = names.filter((name) => !known.has(name));
    for (const name of names) known.add(name);
    return { new: isNew, processed: names.filter((name) => !isNew.includes(name)) };
  }

  async remove(workflow: string | undefined, names: string[]): Promise<void> {
    const known = await this.of(workflow);
    for (const name of names) known.delete(name);
  }

  /** What the store holds of a workflow; one that was never saved has no store. */
  private async of(workflow: string | undefined): Promise<Set<string>> {
    await Promise.resolve();
    if (this.failures.length > 0) throw this.failures.shift();
    if (workflow === undefined) throw Object.assign(new Error('assert.ok'), { code: 'ERR_ASSERTION' });
    const names = this.known.get(workflow) ?? new Set();
    this.known.set(workflow, names);
    return names;
  }
}

/** One n8n with one workflow and one node. */
export class OtpHost {
  /** Operations that the gateway got, oldest first. */
  readonly sent: IDataObject[] = [];

  readonly store = new ProcessedStore();

  /** How the gateway answers; its text in place of an answer refuses the whole request. */
  answer: Answer | string = accept;

  workflowId: string | undefined = 'workflow';

  nodeId = 'node';

  apiKey: unknown = API_KEY;

  /** What the box above the output says of verifications. */
  readonly hints: string[] = [];

  private executions = 0;

  /** Sends a code for each item. */
  async send(overrides: IDataObject = {}, items: IDataObject[] = [{}], settings: RunSettings = {}) {
    return await sendOtp.run(atOnce(new Run(this.context(sendForm(overrides), items, settings), sendOtp)));
  }

  /** Verifies `challenge`, `phone` and `code` of each item. */
  async verify(items: IDataObject[], options: IDataObject = {}, settings: RunSettings = {}) {
    const context = this.context({ ...verifyForm, options }, items, settings);
    const run = new Run(context, verifyOtp);
    const results = await verifyOtp.run(run);
    this.hints.push(...run.hints.map(({ text }) => text));
    return results;
  }

  context(
    parameters: IDataObject,
    items: IDataObject[] = [{}],
    { onError = 'continueRegularOutput', memory = {}, executionId, mode = 'trigger' }: RunSettings = {},
  ): IExecuteFunctions {
    this.executions += 1;
    const id = executionId ?? `${this.nodeId} ${this.executions}`;
    const context = {
      getNode: () => ({ id: this.nodeId, name: 'Code', type: 'messagingGateway', onError }),
      getWorkflow: () => ({ id: this.workflowId }),
      getInputData: () => items.map((json) => ({ json })),
      getNodeParameter: (
        name: string,
        index: number,
        fallback: unknown,
        options: IDataObject | undefined,
      ) => {
        const raw = name in parameters ? parameters[name] : fallback;
        const field = options?.rawExpressions ? undefined : fieldOf(raw);
        return field === undefined ? raw : items[index][field];
      },
      getInstanceId: () => 'instance',
      getMode: () => mode,
      getExecutionId: () => id,
      getWorkflowDataProxy: () => ({ $runIndex: 0 }),
      getContext: (kind: string) => (memory[kind] ??= {}),
      continueOnFail: () => onError !== 'stopWorkflow',
      isToolExecution: () => false,
      logger: { warn: () => undefined },
      getCredentials: async () =>
        await Promise.resolve({ apiKey: this.apiKey, baseUrl: 'https://gateway.example' }),
      helpers: {
        checkProcessedAndRecord: async (names: string[], scope: string) =>
          await this.store.record(this.storeOf(scope), names),
        removeProcessed: async (names: string[], scope: string) =>
          await this.store.remove(this.storeOf(scope), names),
        httpRequestWithAuthentication: async (_: string, options: { body: { data: IDataObject[] } }) =>
          await Promise.resolve(this.reply(options.body.data)),
      },
    };
    return context as unknown as IExecuteFunctions;
  }

  /** Answers like a gateway that has what it got, whatever it said of that. */
  remember(): void {
    this.answer = ({ id, type }) =>
      type === 'status' && this.sent.every((sent) => sent.id !== id)
        ? { success: false, error: 'No such message', data: { id } }
        : { success: true, data: { id, status: 'SENT', msg_id: 5 } };
  }

  private storeOf(scope: string): string | undefined {
    expect(scope).toBe('workflow');
    return this.workflowId;
  }

  private reply(operations: IDataObject[]): IDataObject {
    const { answer } = this;
    const asked = operations.every(({ type }) => type === 'status');
    if (!asked) this.sent.push(...operations);
    const isRefused = typeof answer === 'string';
    const body = isRefused
      ? { success: false, error: answer }
      : { success: true, data: operations.map(answer) };
    const headers = { 'content-type': 'application/json' };
    return streamed({ statusCode: 200, headers, body: JSON.stringify(body) });
  }
}

/** Ends the process: what it remembers is gone, and n8n's store stays. */
export const restart = (): void => slots['held'].clear();

/** The output of an item that succeeded. */
export function jsonOf(result: ItemResult | undefined): IDataObject {
  if (result === undefined || !('jsons' in result)) throw new Error(`Failed: ${JSON.stringify(result)}`);
  expect(result.jsons).toHaveLength(1);
  return result.jsons[0];
}

/** The error of an item that failed. */
export function errorOf(result: ItemResult | undefined) {
  if (result === undefined || !('error' in result)) throw new Error(`Succeeded: ${JSON.stringify(result)}`);
  return result;
}
