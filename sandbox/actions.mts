/** What a person (or a tool in another process) can do with a message on the sandbox phone. */
import { isObject } from './checks.mts';
import type { Gateway } from './gateway.mts';
import { InputError } from './input-error.mts';
import type { JsonObject, OutcomeStep, Reply, SandboxMessage } from './types.mts';

const ACTIONS: Record<string, (gateway: Gateway, message: SandboxMessage, input: JsonObject) => void> = {
  status: setStatus,
  fail: (gateway, message, input) => gateway.delivery.outcomes.fail(message, optionalText(input, 'error')),
  reply: (gateway, message, input) =>
    gateway.delivery.outcomes.apply(message, { status: 'REPLIED', replies: [replyFrom(input)] }),
  dtmf: pressDigit,
};

/**
 * Carries out an action on a message: `status`, `fail`, `reply` or `dtmf`.
 * @returns the message as it is afterwards
 * @throws InputError for an unknown message or action, or for input of the wrong kind
 */
export function act(gateway: Gateway, msgId: number, action: string, input: JsonObject): SandboxMessage {
  const message = gateway.kept.messages.get(msgId);
  if (!message) throw new InputError(`No message with msg_id ${msgId}`, 404);
  if (!Object.hasOwn(ACTIONS, action)) throw new InputError(`Unknown action: ${action}`, 404);
  ACTIONS[action](gateway, message, input);
  return message;
}

/** Statuses of messages of which nothing has become yet. */
const UNDECIDED = new Set(['ACCEPTED', 'QUEUED', 'ROUTING']);

/**
 * Has messages without an outcome delivered on the channel that they are on.
 * @param input `phone`: only those to this number
 * @returns how many there were
 */
export function deliverAll(gateway: Gateway, { phone }: JsonObject): { delivered: number } {
  if (phone !== undefined && typeof phone !== 'number') throw new InputError('phone has to be a number');
  const waiting = gateway.kept.messages
    .list()
    .filter((message) => UNDECIDED.has(message.status) && (phone === undefined || message.phone === phone));
  for (const message of waiting) gateway.delivery.outcomes.apply(message, { status: 'DELIVERED' });
  return { delivered: waiting.length };
}

function setStatus(gateway: Gateway, message: SandboxMessage, input: JsonObject): void {
  const status = optionalText(input, 'status');
  if (!status) throw new InputError('status has to be a string such as DELIVERED');
  const { duration } = input;
  if (duration !== undefined && typeof duration !== 'number') {
    throw new InputError('duration has to be a number of seconds');
  }
  const step: OutcomeStep = {
    status,
    type: optionalText(input, 'type'),
    error: optionalText(input, 'error'),
    duration,
    silent: input.silent === true,
  };
  gateway.delivery.outcomes.apply(message, step);
}

function pressDigit(gateway: Gateway, message: SandboxMessage, input: JsonObject): void {
  const { digit, duration = 12 } = input;
  if (typeof digit !== 'string' || !/^[0-9*#]$/.test(digit)) {
    throw new InputError('digit has to be one of 0 to 9, * and #');
  }
  if (!message.channels.includes('voice')) throw new InputError('Only a voice message takes digits', 409);
  if (message.type === 'voice' && message.operation.dtmf !== true) {
    throw new InputError('This voice message was sent with dtmf off', 409);
  }
  if (typeof duration !== 'number') throw new InputError('duration has to be a number of seconds');
  gateway.delivery.outcomes.apply(message, { status: 'DELIVERED', type: 'voice', reply: digit, duration });
}

function replyFrom(input: JsonObject): Reply {
  const message = optionalText(input, 'message');
  if (message === undefined) throw new InputError('message has to be a string');
  const { media } = input;
  if (media === undefined) return { datetime: new Date().toISOString(), message };
  const valid =
    isObject(media) &&
    typeof media.url === 'string' &&
    typeof media.filename === 'string' &&
    typeof media.filesize === 'number';
  if (!valid) throw new InputError('media has to be { url, filename, filesize }');
  return { datetime: new Date().toISOString(), message, media: media as unknown as Reply['media'] };
}

function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  if (value !== undefined && typeof value !== 'string') throw new InputError(`${name} has to be a string`);
  return value;
}
