/** Sends of an agent's tools, and numbers that these must not write to. */
import type { IDataObject } from 'n8n-workflow';

import { OPERATION_CASES } from './operation-cases.mts';
import { sendForm } from './otp.mts';
import { smsForm } from './sends.mts';

const PHONE = { phone: "={{ $fromAI('phone', 'Number to send to', 'string') }}" };
/** Send SMS to a number that the agent fills in. */
export const AGENT_SMS = smsForm(PHONE);
/** Look Up of a number that the agent fills in. */
export const AGENT_LOOKUP = { resource: 'number', operation: 'lookup', ...PHONE };
/** The forms of all operations that send, by their names, with a number that the agent fills in. */
export const AGENT_SENDS: Record<string, IDataObject> = { send: sendForm(PHONE) };
for (const { resource, operation, parameters, target, wire } of OPERATION_CASES) {
  const { options: _, ...form } = parameters;
  if (target === 'id and phone' && wire.type !== 'hlr')
    AGENT_SENDS[operation] ??= { resource, operation, ...form, ...PHONE };
}

/** Other people's numbers, and one's own in disguise. */
export const FOREIGN = [
  '+447700900002',
  '44 7700 900002',
  '0044-7700-900002',
  '４４７７００９００００２',
  'tel:+380501234567',
];
