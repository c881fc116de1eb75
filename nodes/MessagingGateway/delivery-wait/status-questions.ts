import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { StatusBatch } from '../../gateway/client/status-check';
import { askStatusBatch } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import { readConnection } from '../../n8n/connection';
import { jsonTransport } from '../../n8n/transports';
import { GrowingSize } from './growing-size';
import type { OpenWait, WaitingMessage } from './open-wait';

/** Ids in one `status` request where the user set no batch size. */
export const STATUS_BATCH = 500;

/**
 * The share of its messages whose outcomes an answer brings where most have come. With less, a round in parts ends: a wait ends
 * with its last outcome, and a single message that is still open shows that it hasn't come.
 */
const MOST = 3 / 4;

/** Milliseconds that one request may take. */
const LONGEST_QUESTION_MS = 15_000;

/** What came of a round of questions. */
export interface Round {
  /** How many messages the gateway told of, and how many of them have their outcome. */
  told: number;
  outcomes: number;

  /** How many messages have not been asked about. */
  left: number;

  /** Whether the gateway did not answer; the rest of the round is for later. */
  hasFailed: boolean;

  /** Whether it ended since most outcomes are still to come; the next round goes on behind it. */
  isCut: boolean;

  /** Milliseconds for which the gateway wants to be left alone. */
  retryAfterMs: number;
}

/** Asks `status` for one wait, a request at a time (gateway-api.md, "Asking for a status"). */
export class StatusQuestions {
  private readonly context: IExecuteFunctions | IWebhookFunctions;
  private readonly size: GrowingSize;
  private transport: Transport | undefined;
  private readonly isOfRun: boolean;

  /** Whether the credential is to be read before the next question: it may be why the last one failed. */
  private isStale = true;

  private hasWarned = false;

  /**
   * Takes the context of the node or of a call, whose request helpers it uses; the most ids in one request; and, for questions
   * of the run that sent, its transport, which ends with the run and isn't read again.
   */
  constructor(context: IExecuteFunctions | IWebhookFunctions, largest = STATUS_BATCH, transport?: Transport) {
    this.context = context;
    this.size = new GrowingSize(largest);
    this.transport = transport;
    this.isOfRun = transport !== undefined;
  }

  /**
   * Reads the credential, if the last question failed or there was none. The last one stays where n8n can't read it: after
   * the run of a node, n8n evaluates no expressions in a credential. Without any the wait goes on: callbacks still come, and
   * so does its limit. Does not throw.
   */
  async connect(): Promise<void> {
    if (!this.isStale || this.isOfRun) return;
    try {
      const connection = await readConnection(this.context);
      // The run that sent may have been stopped; a sleep is ended otherwise.
      this.transport = jsonTransport({ ...connection, cancelled: undefined }, LONGEST_QUESTION_MS);
      this.isStale = false;
    } catch (error) {
      if (this.transport !== undefined || this.hasWarned) return;
      this.hasWarned = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.context.logger.warn(
        `Messaging Gateway, execution ${this.context.getExecutionId()}: could not request the status of messages: ${reason}`,
      );
    }
  }

  /**
   * Asks about `count` of the open messages of a wait, until a time in milliseconds since 1970, and has the wait learn the
   * answers; in parts, only as long as they bring most of the outcomes. Where a request fails, and not for what it asks, it
   * is made again once with the credential read again, unless the run asks. Does not throw.
   */
  async ask(
    wait: OpenWait,
    count: number,
    { until, inParts = false }: { until: number; inParts?: boolean },
  ): Promise<Round> {
    const round: Round = {
      told: 0,
      outcomes: 0,
      left: count,
      hasFailed: false,
      isCut: false,
      retryAfterMs: 0,
    };
    let failures = 0;

    /** Messages that the last answer left out. */
    let leftOut = Infinity;
    this.size.begin();
    while (round.left > 0 && wait.open > 0 && Date.now() < until) {
      const messages = wait.nextInQuestion(Math.min(this.size.next, leftOut, round.left));
      const asked = messages.length;
      const answered = await this.request(messages);
      leftOut = Infinity;
      if (answered?.ok) {
        this.size.answered(asked);
        const told = wait.learnAnswers(messages, answered.answers);
        const outcomes = messages.filter(({ classified }) => classified.final).length;
        round.told += told;
        round.outcomes += outcomes;
        round.left -= told;
        if (told < asked) {
          // The gateway may have a limit of its own for what it answers in one request.
          leftOut = asked - told;
          wait.askNext(leftOut);
        }
        if (!inParts || round.left === 0 || outcomes >= MOST * told) continue;
        return { ...round, isCut: true };
      }
      if (answered && this.size.allowsFewer(answered, asked)) continue;
      this.isStale = true;
      failures += 1;
      const { reason = 'failed', retryAfter = 0 } = answered ?? {};
      this.size.failed(reason);
      if (reason !== 'failed' || retryAfter > 0 || failures === 2 || this.isOfRun)
        return { ...round, hasFailed: true, retryAfterMs: 1000 * retryAfter };
    }
    return round;
  }

  private async request(messages: WaitingMessage[]): Promise<StatusBatch | undefined> {
    await this.connect();
    const ids = messages.map(({ id }) => id);
    return this.transport && (await askStatusBatch(this.transport, ids));
  }
}
