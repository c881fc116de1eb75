/** A new operation that puts its execution to sleep and serves a page, whose button wakes it. */
import { z } from 'zod/v3';

import type { OperationDefinition } from '../../../nodes/MessagingGateway/run/definition.ts';
import { toItems } from '../../../nodes/MessagingGateway/run/output.ts';
import { findNote, sleepUntil } from '../../../nodes/MessagingGateway/sleeping/sleep.ts';
import { refuse } from '../../../nodes/n8n/incoming-call.ts';
import { savedItems } from '../../../nodes/n8n/undocumented.ts';

export const ask: OperationDefinition = {
  resource: 'message',
  operation: 'ask',
  name: 'Ask',
  action: 'Ask',
  description: 'Ask somebody before going on',
  effect: 'sends',
  properties: [{ displayName: 'Question', name: 'question', type: 'string', default: '' }],
  outputSchema: z.object({ question: z.string(), answer: z.string().optional() }),
  async run(run) {
    const results = run.items.map((_, item) => ({
      jsons: [{ question: String(run.read('question', item, '')) }],
    }));
    const limitAt = Date.now() + 60_000;
    await sleepUntil(run.context, limitAt, toItems(run, results), { limitAt, ...results[0].jsons[0] });
    return results;
  },
  async whileWaiting(context) {
    const note = await Promise.resolve(findNote(context));
    if (note === undefined) return refuse(context, 410, 'Nobody asks any more');
    const { answer } = context.getBodyData();
    if (context.getRequestObject().method === 'POST') {
      const items = savedItems(context).map((item) => ({ ...item, json: { ...item.json, answer } }));
      return { workflowData: [items], webhookResponse: { thanks: true } };
    }
    context.getResponseObject().send(`<h1>${String(note.question)}</h1><form method="post">…</form>`);
    return { noWebhookResponse: true };
  },
};
