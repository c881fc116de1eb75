import type { Callbacks } from './callbacks.mts';
import type { Outcome, OutcomeRule, OutcomeStep, SandboxConfig } from './config.mts';
import { CHANNELS } from './operations/channels.mts';
import type { Schedule } from './schedule.mts';
import type { CallbackPayload, JsonObject, SandboxMessage } from './types.mts';

/** Statuses after which the callback field `success` is true: delivered or read (a reply implies both). */
const ARRIVED = new Set(['DELIVERED', 'READ', 'REPLIED', 'PARTIALLY DELIVERED']);

/** Operation types without a `hook` field. */
const WITHOUT_HOOK = new Set(['voice', 'call/otp', 'hlr', 'balance', 'sender', 'status']);

const DELIVERED: Outcome = { steps: [{ status: 'DELIVERED' }] };

interface OutcomesParts {
  config(): SandboxConfig['outcomes'];
  schedule: Schedule;
  callbacks: Callbacks;

  /** Called with each message that got a new status. */
  onStatus(message: SandboxMessage): void;
}

/** Decides what becomes of each message, and changes statuses: by plan, by a person, by the control API. */
export class Outcomes {
  /** Decides first, before rules and fallback; returns undefined to leave a message to those. */
  chooser: ((message: SandboxMessage) => Outcome | undefined) | undefined;

  private readonly parts: OutcomesParts;

  constructor(parts: OutcomesParts) {
    this.parts = parts;
  }

  /** Plans what happens to a message that was just accepted. */
  start(message: SandboxMessage): void {
    const { schedule } = this.parts;
    const outcomes = this.parts.config();
    const outcome =
      this.chooser?.(message) ??
      outcomes.rules.find((rule) => matches(rule, message))?.outcome ??
      outcomes.fallback ??
      DELIVERED;
    const { mute, duplicates: repeats } = outcome;
    for (const step of outcome.steps) {
      const delay = draw(step.afterMs ?? outcomes.afterMs);
      schedule.after(delay, () => this.apply(message, step, { mute, repeats }));
    }
  }

  /**
   * Gives a message a new status, and sends the callback where there is somewhere to send it.
   * @param options `mute`: no callback; `repeats`: how many times more it is sent
   */
  apply(
    message: SandboxMessage,
    step: OutcomeStep,
    options: { mute?: boolean; repeats?: number } = {},
  ): void {
    message.status = step.status;
    message.updated = new Date().toISOString();
    if (step.type) message.channel = step.type;
    // An error belongs to the status it came with, not to a later one on another channel.
    message.error = step.error;
    if (step.reply !== undefined) message.reply = step.reply;
    if (step.duration !== undefined) message.duration = step.duration;
    if (step.replies) message.replies = [...message.replies, ...step.replies];
    message.history.push({
      status: step.status,
      type: message.channel,
      at: message.updated,
      ...(step.error === undefined ? {} : { error: step.error }),
    });
    this.parts.onStatus(message);
    if (message.hook && !step.silent && !options.mute) {
      const { msgId } = message;
      this.parts.callbacks.send(message.hook, this.payload(message), { repeats: options.repeats, msgId });
    }
  }

  /**
   * Lets the channel fail that the message is on: the next one is tried where there is one, else the message
   * has failed for good.
   */
  fail(message: SandboxMessage, error = 'Not delivered'): void {
    const next = message.channels[message.channels.indexOf(message.channel) + 1];
    // The contract sends one callback, on the final state.
    this.apply(message, { status: 'UNDELIVERABLE', error, silent: next !== undefined });
    if (next !== undefined) this.apply(message, { status: 'ROUTING', type: next, silent: true });
  }

  /**
   * Sends the REJECTED callback of a refused operation of the asynchronous endpoint. A refused pipeline is
   * reported to its own `hook`, although an accepted one is not (gateway-api.md, "Callbacks").
   */
  reject(operation: JsonObject, error: string, requestId: string): void {
    const { hook, type } = operation;
    if (typeof hook !== 'string' || !/^https?:\/\//i.test(hook) || !URL.canParse(hook)) return;
    if (typeof type === 'string' && (WITHOUT_HOOK.has(type) || type.startsWith('template/'))) return;
    const channel = typeof type === 'string' ? type.split('+')[0] : '';
    const id = operation.id;
    this.parts.callbacks.send(hook, {
      success: false,
      ...(typeof id === 'number' || typeof id === 'string' ? { id: String(id) } : {}),
      ...typeOf(channel),
      status: 'REJECTED',
      error,
      updated: new Date().toISOString(),
      request_id: requestId,
    });
  }

  private payload(message: SandboxMessage): CallbackPayload {
    return {
      success: ARRIVED.has(message.status),
      id: String(message.id),
      msg_id: String(message.msgId),
      ...typeOf(message.channel),
      status: message.status,
      ...(message.error === undefined ? {} : { error: message.error }),
      updated: message.updated,
      ...(message.reply === undefined ? {} : { reply: message.reply }),
      ...(message.duration === undefined ? {} : { duration: message.duration }),
      ...(message.requestId === undefined ? {} : { request_id: message.requestId }),
      ...(message.replies.length > 0 ? { replies: [...message.replies] } : {}),
    };
  }
}

/** The field `type` of a callback, where the contract has a value for the channel. */
const typeOf = (channel: string): { type?: string } => (CHANNELS[channel]?.isNamed ? { type: channel } : {});

function matches(rule: OutcomeRule, message: SandboxMessage): boolean {
  if (rule.phone !== undefined && rule.phone !== message.phone) return false;
  if (rule.id !== undefined && rule.id !== message.id) return false;
  if (rule.type !== undefined && rule.type !== message.type) return false;
  return rule.phoneSuffix === undefined || String(message.phone).endsWith(rule.phoneSuffix);
}

/** Draws from a range, or returns a fixed number as it is. */
function draw(value: number | [number, number]): number {
  return typeof value === 'number' ? value : value[0] + Math.random() * (value[1] - value[0]);
}
