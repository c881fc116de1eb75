import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import type { NodeRun, NodeRunOptions } from './engine.mts';
import { credentialsFor, runNode } from './engine.mts';

export const PHONE = 380501234567;
/** Arguments of the sandbox's tool `send_sms`. */
export const SMS = { phone: PHONE, text: 'Hello', sender: 'TestSender' };

/** Whether a request to the sandbox called a tool. */
export const isToolCall = ({ body }: { body: unknown }): boolean =>
  (body as { method?: string } | undefined)?.method === 'tools/call';

/** Message and description of the error that ended a run. */
export function failureOf({ error }: { error?: unknown }): string {
  const { message, description } = error as { message: string; description: string };
  return `${message} | ${description}`;
}

/** Runs an operation of the resource Assistant against a sandbox, in n8n's own engine. */
export async function runAssistant(
  sandbox: Sandbox,
  parameters: IDataObject,
  more: Partial<NodeRunOptions> = {},
): Promise<NodeRun> {
  return await runNode({
    parameters: { resource: 'assistant', ...parameters },
    credentials: credentialsFor(sandbox),
    ...more,
  });
}

/** Calls a tool; `args` is an object, or the text of the parameter Arguments. */
export async function callTool(
  sandbox: Sandbox,
  tool: string,
  args: unknown = {},
  more: IDataObject = {},
  options: Partial<NodeRunOptions> = {},
): Promise<NodeRun> {
  const given = typeof args === 'string' ? args : JSON.stringify(args);
  const located = { __rl: true, mode: 'name', value: tool };
  const parameters = { operation: 'callTool', tool: located, arguments: given, ...more };
  return await runAssistant(sandbox, parameters, options);
}
