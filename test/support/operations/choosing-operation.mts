/** A new operation that chooses its wire type for each item and sends a value that stays hidden everywhere else. */
import { createHash } from 'node:crypto';

import { phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import type { OperationDefinition } from '../../../nodes/MessagingGateway/run/definition.ts';
import type { Item } from '../../../nodes/MessagingGateway/run/item.ts';
import { settingProperty } from '../../../nodes/MessagingGateway/run/settings.ts';
import { sendOutput, sendOutputSchema } from '../../../nodes/MessagingGateway/sending/output.ts';
import { CHECK_ONLY } from '../../../nodes/MessagingGateway/sending/properties.ts';
import { send } from '../../../nodes/MessagingGateway/sending/send.ts';

/** Follows from the id of the item, which is known before its operation is built, so that a retry sends it again. */
export const codeOf = (id: unknown): string =>
  String(
    createHash('sha256')
      .update(`code ${String(id)}`)
      .digest()
      .readUInt32BE() % 1_000_000,
  ).padStart(6, '0');

function build(item: Item) {
  const target = { id: item.id, phone: Number(phone.read(item.read, 'sms').phone) };
  const operation =
    item.read('via') === 'telegram'
      ? { type: 'telegram' as const, ...target, message: codeOf(item.id) }
      : {
          type: 'sms' as const,
          ...target,
          sms_message: `Code ${codeOf(item.id)}`,
          sms_signature: 'TestSender',
        };
  const checkOnly = item.options.checkOnly === true;
  return { operation, endpoint: 'sync' as const, checkOnly, secrets: [codeOf(item.id)] };
}

export const sendSecret: OperationDefinition = {
  resource: 'otp',
  operation: 'sendSecret',
  name: 'Send Secret',
  action: 'Send secret',
  description: 'Send a code that nobody but its recipient sees',
  effect: 'sends',
  properties: [
    ...phone.properties('sms').map((property) => ({ ...property, required: true })),
    { displayName: 'Via', name: 'via', type: 'string', default: 'sms' },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      default: {},
      options: [CHECK_ONLY, settingProperty('batchSize')],
    },
  ],
  outputSchema: sendOutputSchema,
  run: async (run) =>
    await send(run, {
      recovery: 'status',
      build,
      result: sendOutput,
    }),
};
