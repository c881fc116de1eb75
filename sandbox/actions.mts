/** Actions of a person, or of a tool in another process, on a message of the sandbox phone. */
import { z } from 'zod/v3';
import type { Gateway } from './gateway.mts';
import { checked, filled, InputError } from './input.mts';
import type { JsonObject, SandboxMessage } from './types.mts';

const duration = z.number().min(0).optional();

const STATUS = z.object({
  status: filled,
  type: z.string().optional(),
  error: z.string().optional(),
  duration,
  silent: z.boolean().optional(),
});

const REPLY = z.object({
  message: z.string(),
  media: z.object({ url: z.string(), filename: z.string(), filesize: z.number() }).optional(),
});

const DTMF = z.object({
  digit: z.string().regex(/^[0-9*#]$/, 'has to be one of 0 to 9, * and #'),
  duration: z.number().default(12),
});

const ACTIONS = {
  status: ({ delivery }: Gateway, message: SandboxMessage, input: JsonObject) =>
    delivery.outcomes.apply(message, checked(STATUS, input, '')),
  fail: ({ delivery }: Gateway, message: SandboxMessage, input: JsonObject) =>
    delivery.outcomes.fail(message, checked(z.string().optional(), input.error, 'error')),
  reply: ({ delivery }: Gateway, message: SandboxMessage, input: JsonObject) => {
    const reply = { datetime: new Date().toISOString(), ...checked(REPLY, input, '') };
    delivery.outcomes.apply(message, { status: 'REPLIED', replies: [reply] });
  },
  dtmf: ({ delivery }: Gateway, message: SandboxMessage, input: JsonObject) => {
    const { digit, duration: seconds } = checked(DTMF, input, '');
    if (!message.channels.includes('voice')) throw new InputError('Only a voice message takes digits', 409);
    if (message.type === 'voice' && message.operation.dtmf !== true) {
      throw new InputError('This voice message was sent with dtmf off', 409);
    }
    const report = { status: 'DELIVERED', type: 'voice', reply: digit, duration: seconds };
    delivery.outcomes.apply(message, report);
  },
};

export type Action = keyof typeof ACTIONS;

/**
 * Carries out an action on a message: `status`, `fail`, `reply` or `dtmf`.
 * @returns the message as it is afterwards
 * @throws InputError for an unknown message or action, or for input of the wrong kind
 */
export function act(gateway: Gateway, msgId: number, action: string, input: JsonObject): SandboxMessage {
  const message = gateway.kept.messages.get(msgId);
  if (!message) throw new InputError(`No message with msg_id ${msgId}`, 404);
  if (!Object.hasOwn(ACTIONS, action)) throw new InputError(`Unknown action: ${action}`, 404);
  ACTIONS[action as Action](gateway, message, input);
  return message;
}

/** Statuses of messages of which nothing has become yet. */
const UNDECIDED = new Set(['ACCEPTED', 'QUEUED', 'ROUTING']);

/**
 * Has all messages without an outcome delivered on the channel that they are on.
 * @returns how many there were
 */
export function deliverAll(gateway: Gateway): { delivered: number } {
  const waiting = gateway.kept.messages.list().filter(({ status }) => UNDECIDED.has(status));
  for (const message of waiting) gateway.delivery.outcomes.apply(message, { status: 'DELIVERED' });
  return { delivered: waiting.length };
}
