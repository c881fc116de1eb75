import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { sleepingItems } from '../sleeping/sleep';
import type { Claims } from './claims';
import type { ApprovalNote } from './note';
import type { PersonAnswer } from './output';
import { answeredItem } from './output';

export interface Waking {
  note: ApprovalNote;
  /** The decisions of the last moments, among which this one is noted. */
  claims: Claims;
  verdict: PersonAnswer;
  /** What was chosen, as the page shows it to the others. */
  label: string;
  /** What the caller gets once n8n has woken the execution. */
  answer: unknown;
}

/** Wakes the execution with a decision. */
export function wakeWith(
  context: IWebhookFunctions,
  { note, claims, verdict, label, answer }: Waking,
): IWebhookResponseData {
  const now = new Date();
  claims.set(note.key, { at: now.getTime(), phone: verdict.phone, label });
  const items = sleepingItems(context).map((item) => answeredItem(item, verdict, now.toISOString()));
  // n8n sends the answer only if it could wake the execution, which another process may have done before.
  return { workflowData: [items], webhookResponse: answer };
}
