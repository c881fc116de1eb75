import { EventEmitter } from 'node:events';
import { isApproved, PRICES } from './account.mts';
import type { Account } from './account.mts';
import { Callbacks } from './callbacks.mts';
import { firstProblem } from './checks.mts';
import { changeConfig, defaultConfig } from './config.mts';
import type { ConfigChange, SandboxConfig } from './config.mts';
import { ERRORS } from './error-texts.mts';
import { Messages } from './messages.mts';
import { extrasOf, isDeclared } from './operations/extras.mts';
import { factsOf } from './operations/facts.mts';
import type { SendFacts } from './operations/facts.mts';
import { OTHER_SHAPES, REQUIRED_BY_VIBER_TYPE, SEND_SHAPES } from './operations/fields.mts';
import { lookupPayload, senderPayload, statusPayload } from './operations/lookups.mts';
import { pipelineProblem } from './operations/pipeline.mts';
import { templateOperation } from './operations/templates.mts';
import type { TemplateBook } from './operations/templates.mts';
import { Outcomes } from './outcomes.mts';
import { Schedule } from './schedule.mts';
import { isEmptySms } from './sms.mts';
import type { ItemResult, JsonObject, Origin, SandboxMessage } from './types.mts';

/** The end of phone numbers for which `call/otp` answers `Operator not supported`. */
const UNSUPPORTED_SUFFIX = '0404';

/** Messages and templates. */
interface Kept {
  messages: Messages;

  /** Templates by the name of the account. */
  books: Map<string, TemplateBook>;
}

/** The fates of messages, and the callbacks about them. */
interface Delivery {
  callbacks: Callbacks;
  outcomes: Outcomes;
}

/**
 * The platform behind all endpoints: carries out single operations and keeps what came of them.
 * Emits `message` (accepted), `status` (changed), `callback` (sent, acknowledged, given up) and `settings`.
 */
export class Gateway {
  readonly config: SandboxConfig = defaultConfig();

  readonly accounts = new Map<string, Account>();

  /** Messages and templates, until a reset. */
  readonly kept: Kept;

  /** Events that are due later. */
  readonly schedule = new Schedule();

  /** The fates of messages, and the callbacks about them. */
  readonly delivery: Delivery;

  readonly events = new EventEmitter();

  private serial = 0;

  constructor() {
    const { events, schedule } = this;
    events.setMaxListeners(100);
    this.kept = { messages: new Messages(), books: new Map() };
    const callbacks = new Callbacks({
      config: () => this.config.callbacks,
      keep: () => this.config.keep.callbacks,
      schedule,
      onChange: (record) => events.emit('callback', record),
    });
    const outcomes = new Outcomes({
      config: () => this.config.outcomes,
      schedule,
      callbacks,
      onStatus: (message) => events.emit('status', message),
    });
    this.delivery = { callbacks, outcomes };
  }

  /** Changes settings. @throws InputError for what can't be */
  configure(change: ConfigChange): void {
    changeConfig(this.config, change);
    this.events.emit('settings');
  }

  /** A fresh number: message and template identifiers grow and never repeat. */
  nextNumber(): number {
    return (this.serial += 1);
  }

  /** Templates of an account. */
  book(account: Account): TemplateBook {
    const { books } = this.kept;
    let book = books.get(account.name);
    if (!book) books.set(account.name, (book = { sms: [], viber: [] }));
    return book;
  }

  /**
   * Carries out one operation object.
   * @returns the result item of the response envelope
   */
  execute(account: Account, operation: JsonObject, origin: Origin): ItemResult {
    const type = operation.type;
    if (typeof type !== 'string') return this.refusal(operation, ERRORS.messageType);
    if (type === 'pipeline' || Object.hasOwn(SEND_SHAPES, type)) return this.send(account, operation, origin);
    if (!Object.hasOwn(OTHER_SHAPES, type)) return this.refusal(operation, ERRORS.messageType);
    const problem = firstProblem(operation, OTHER_SHAPES[type]);
    if (problem) return this.refusal(operation, problem);
    switch (type) {
      case 'balance':
        return { success: true, data: { ...account.balance } };
      case 'sender':
        return { success: true, data: senderPayload(account) };
      case 'status':
        return this.status(account, operation);
      case 'hlr':
        this.charge(account, PRICES.hlr);
        return { success: true, data: lookupPayload(operation.id, operation.phone as number) };
      case 'call/otp':
        return this.callOtp(account, operation, origin);
      default:
        return templateOperation(operation, this.book(account), () => this.nextNumber());
    }
  }

  /** Forgets messages, templates, callbacks and what was planned; settings and accounts stay. */
  reset(): void {
    for (const part of [this.schedule, ...Object.values(this.kept)]) part.clear();
    this.delivery.callbacks.clear();
  }

  /** Ends everything that would happen later. */
  close(): void {
    this.schedule.close();
    this.delivery.callbacks.close();
  }

  private send(account: Account, operation: JsonObject, origin: Origin): ItemResult {
    const type = operation.type as string;
    const problem = this.sendProblem(account, operation, type);
    if (problem) return this.refusal(operation, problem);
    const facts = factsOf(account, operation);
    if (account.prepaid && account.balance.amount < facts.price) return this.refusal(operation, ERRORS.funds);
    const message = this.accept(account, operation, origin, facts);
    const data: JsonObject = { id: operation.id, msg_id: message.msgId, parts: facts.parts };
    if (type === 'viber' || type === 'viber+sms') data.data = message.msgId % 1000;
    return { success: true, data };
  }

  private sendProblem(account: Account, operation: JsonObject, type: string): string | undefined {
    if (type === 'pipeline') {
      const problem = pipelineProblem(operation);
      if (problem) return problem;
    } else {
      const shape = SEND_SHAPES[type];
      const problem = firstProblem(operation, shape);
      if (problem) return problem;
      if (shape.fields.viber_type) {
        const viberType = operation.viber_type as string;
        // The contract contradicts itself here; without `viber_carousel` a carousel could not be sent in any reading.
        if (type === 'viber+sms' && viberType === 'carousel') return 'viber_type carousel needs another type';
        for (const name of REQUIRED_BY_VIBER_TYPE[viberType]) {
          if (operation[name] === undefined) return `${name} is required for viber_type ${viberType}`;
        }
      }
    }
    return this.businessProblem(account, operation, type);
  }

  private businessProblem(account: Account, operation: JsonObject, type: string): string | undefined {
    const stages: JsonObject = type === 'pipeline' ? operation : {};
    const used = type === 'pipeline' ? (operation.pipeline as string[]) : SEND_SHAPES[type].channels;
    for (const channel of used) {
      const stage = stages[channel] as JsonObject | undefined;
      const signature = stage ? stage.signature : operation[`${channel}_signature`];
      if (!isApproved(account, channel, signature)) return ERRORS.alphaName;
      if (channel !== 'sms') continue;
      const text = (stage ? stage.message : operation.sms_message) as string;
      if (isEmptySms(text)) return ERRORS.emptySms;
    }
    for (const name of ['short_link', 'unsubscribe_link'] as const) {
      if (isDeclared(type, name) && operation[name] === true && !account.tariff[name]) {
        return `${name} is not available on this tariff`;
      }
    }
    return this.duplicateProblem(operation);
  }

  private duplicateProblem(operation: JsonObject): string | undefined {
    if (this.config.duplicateIds === 'accept') return undefined;
    return this.kept.messages.acceptances(operation.id as number) > 0 ? ERRORS.duplicate : undefined;
  }

  private callOtp(account: Account, operation: JsonObject, origin: Origin): ItemResult {
    if (String(operation.phone).endsWith(UNSUPPORTED_SUFFIX)) return this.refusal(operation, ERRORS.operator);
    const problem = this.duplicateProblem(operation);
    if (problem) return this.refusal(operation, problem);
    const price = PRICES['call/otp'];
    const code = String(Math.floor(Math.random() * 10_000)).padStart(4, '0');
    const message = this.accept(account, operation, origin, { channels: ['call'], parts: 1, price, code });
    return { success: true, data: { id: operation.id, msg_id: message.msgId, code, price } };
  }

  private status(account: Account, operation: JsonObject): ItemResult {
    const message = this.kept.messages.ofAccount(account.name, operation.id as number);
    if (message) return { success: true, data: statusPayload(message) };
    return this.refusal(operation, ERRORS.notFound);
  }

  private accept(account: Account, operation: JsonObject, origin: Origin, facts: SendFacts): SandboxMessage {
    const acceptedAt = Date.now();
    const updated = new Date(acceptedAt).toISOString();
    const message: SandboxMessage = {
      msgId: 7_000_000_000 + this.nextNumber(),
      id: operation.id as number,
      account: account.name,
      phone: operation.phone as number,
      type: operation.type as string,
      channel: facts.channels[0],
      operation,
      ...origin,
      status: 'ACCEPTED',
      updated,
      replies: [],
      history: [{ status: 'ACCEPTED', at: updated }],
      acceptedAt,
      ...extrasOf(operation),
      ...facts,
      channels: [...facts.channels],
    };
    this.charge(account, facts.price);
    const { keep } = this.config;
    this.kept.messages.add(message, keep.messages, keep.counts || this.config.duplicateIds === 'refuse');
    if (this.events.listenerCount('message') > 0) this.events.emit('message', message);
    // Without a hook and without being kept, nobody could ever see what becomes of the message.
    if (keep.messages > 0 || message.hook) this.delivery.outcomes.start(message);
    return message;
  }

  private charge(account: Account, price: number): void {
    account.balance.amount = Math.round((account.balance.amount - price) * 10_000) / 10_000;
  }

  private refusal(operation: JsonObject, error: string): ItemResult {
    return { success: false, error, data: { id: operation.id ?? null } };
  }
}
