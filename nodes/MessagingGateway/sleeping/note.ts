import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What a waiting execution keeps about its wait, in n8n's database. */
export interface WaitNote {
  /** Names this wait; a node in a loop waits several times in one execution. */
  key: string;
  /** Milliseconds since 1970. */
  limitAt: number;
  batchSize: number;
  /** Milliseconds for one request. */
  timeout: number;
}

const CONTEXT_KEY = 'messagingGatewayWait';

export function keepNote(context: IExecuteFunctions, note: WaitNote): void {
  context.getContext('node')[CONTEXT_KEY] = note;
}

/** The note of the execution that a webhook belongs to; undefined where it does not wait. */
export function findNote(context: IWebhookFunctions): WaitNote | undefined {
  // In JSON text, with braces as escapes, no name can end the string or the expression.
  const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, (brace) =>
    brace === '{' ? '\\u007b' : '\\u007d',
  );
  const note = context.evaluateExpression(`{{ $node[${name}].context.${CONTEXT_KEY} }}`, 0) as unknown;
  return isNote(note) ? note : undefined;
}

const isNote = (value: unknown): value is WaitNote =>
  typeof value === 'object' && value !== null && typeof (value as Partial<WaitNote>).key === 'string';
