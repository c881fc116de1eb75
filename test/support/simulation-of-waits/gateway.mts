/** A model of the gateway in a wait: what `status` says of messages, and all the ways in which it may refuse to. */
import type { World } from '../simulation/outcome.mts';
import type { MessagePlan, Trouble, WaitScenario } from './scenario.mts';

export interface Response {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
}

export const answer = (statusCode: number, body: unknown): Response => ({ statusCode, headers: {}, body });

export const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

interface Result {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

/** What PHP writes in front of an answer where somebody left notices on. */
const NOTICE =
  '<br />\n<b>Notice</b>: Undefined index: route in <b>/api/json.php</b> on line <b>17</b><br />\n';

/** Words for what became of a message that no list has. */
const OWN_WORDS = { DELIVERED: 'Zugestellt', READ: 'ZUG_GEL', UNDELIVERABLE: 'N17', REJECTED: 'N18' };

/** The gateway's word for what became of a message. */
export const wordOf = (
  status: MessagePlan['status'],
  { hasOwnWords, failedWord }: Pick<WaitScenario, 'hasOwnWords' | 'failedWord'>,
): string => {
  if (hasOwnWords) return OWN_WORDS[status];
  return status === 'UNDELIVERABLE' ? failedWord : status;
};

/** What the gateway sees of the world in which it answers, and counts in it. */
interface Surrounded extends Pick<World<WaitScenario>, 'scenario' | 'clock' | 'random' | 'time'> {
  readonly firstId: number;
  troubleOf(of: Trouble['of']): Trouble | undefined;
  readonly questions: Record<'failed' | 'overlong' | 'tooFast', number>;
}

export class WaitGateway {
  private readonly world: Surrounded;

  /** When it answered its last requests. */
  private answeredAt: number[] = [];

  constructor(world: Surrounded) {
    this.world = world;
  }

  async answer(
    data: Array<{ id: number }>,
    { isOurs, abortSignal }: { isOurs: boolean; abortSignal?: AbortSignal },
  ): Promise<Response> {
    const { world } = this;
    const { scenario, random } = world;
    const way = world.troubleOf('gateway')?.way;
    if (way !== undefined && way !== 'vague' && way !== 'absent') {
      world.questions.failed += 1;
      return await this.fail(way, abortSignal);
    }
    if (!isOurs) return this.refuse(200, 'Access denied');
    if (this.isTooFast()) return this.limitedByTime();
    const { mostIds, tooMany, code } = scenario;
    const isTooMuch = data.length > mostIds;
    if (isTooMuch && typeof tooMany.code === 'number') {
      world.questions.overlong += 1;
      const { words } = tooMany;
      return words === undefined ? answer(tooMany.code, '<html>') : this.refuse(tooMany.code, words);
    }
    const results = data.map(({ id }, index): Result => {
      if (isTooMuch && index >= mostIds) return { success: false, error: 'Zu viele', data: { id } };
      const result = this.resultOf(id, way);
      return scenario.isNoisy ? { ...result, data: { ...result.data, index, trace: random.next() } } : result;
    });
    const told = isTooMuch && tooMany.code === 'cut' ? results.slice(0, mostIds) : results;
    if (told.length < results.length) world.questions.overlong += 1;
    return answer(code, this.written(told));
  }

  private written(results: Result[]): string {
    const { form } = this.world.scenario;
    const data = form === 'keyed' ? { ...results } : results;
    const text = JSON.stringify({ success: true, data });
    return form === 'noticed' ? `${NOTICE}${text}` : text;
  }

  private refuse(code: number, error: string): Response {
    return answer(code, JSON.stringify({ success: false, error }));
  }

  private async fail(way: Trouble['way'], abortSignal?: AbortSignal): Promise<Response> {
    if (way === 'refused') throw failure('refused', 'ECONNREFUSED');
    if (way === 'error') return answer(500, '<html>');
    if (way === 'limited') return { ...answer(429, 'Slow down'), headers: { 'retry-after': '20' } };
    if (way === 'refusing') return this.refuse(200, 'Später');
    if (way === 'damaged') return answer(200, '{"success":true,"data":[{"success":true,"data":{"id":');
    return await new Promise<never>((_, reject) => {
      abortSignal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    });
  }

  private isTooFast(): boolean {
    const { clock, scenario } = this.world;
    if (scenario.pace === undefined) return false;
    const { requests, within } = scenario.pace;
    this.answeredAt = this.answeredAt.filter((at) => at > clock.now - within);
    if (this.answeredAt.length >= requests) return true;
    this.answeredAt.push(clock.now);
    return false;
  }

  private limitedByTime(): Response {
    const { code = 429, hasRetryAfter = false, within = 0 } = this.world.scenario.pace ?? {};
    this.world.questions.tooFast += 1;
    const refused = code === 429 ? answer(429, '<html>') : this.refuse(code, 'Nicht so schnell');
    return hasRetryAfter ? { ...refused, headers: { 'retry-after': String(within / 1000) } } : refused;
  }

  /** What `status` says of a message. */
  private resultOf(id: number, way: 'vague' | 'absent' | undefined): Result {
    const { world } = this;
    const { scenario, random } = world;
    const { messages, queuedFor = -1, tellsRefusals, statusLag, logLostAt } = scenario;
    const message: MessagePlan = messages[id - world.firstId - 1];
    const { finalAfter, status } = message;
    const isRefused = scenario.queuedFor !== undefined && status === 'REJECTED';
    const isKnown =
      world.time > queuedFor &&
      world.time < logLostAt &&
      (!isRefused || (tellsRefusals && world.time >= finalAfter));
    if (way === 'absent' || !isKnown) return { success: false, error: 'Gibt es nicht', data: { id } };
    if (way === 'vague') return { success: true, data: { id, status: random.pick(['UNKNOWN', '', null]) } };
    return { success: true, data: { id, ...this.stateOf(message, world.time - statusLag) } };
  }

  /** The status of a message at a time, and the channel that it names. */
  private stateOf(message: MessagePlan, time: number): Record<string, unknown> {
    const { scenario, random } = this.world;
    const { type, failedWord, switching, pendingWords } = scenario;
    const { finalAfter, status, firstFailsAfter = Infinity, nothingFollows = false } = message;
    const [first, last = first] = type.split('+');
    const pending = { status: random.pick(pendingWords) };
    if (time >= finalAfter) {
      const channel = nothingFollows || status === 'REJECTED' ? first : last;
      return { status: wordOf(status, scenario), ...this.channel(channel) };
    }
    const isSwitching = time >= firstFailsAfter && time < firstFailsAfter + switching;
    if (isSwitching)
      return { status: failedWord === 'REJECTED' ? 'EXPIRED' : failedWord, ...this.channel(first) };
    return time >= firstFailsAfter ? { ...pending, ...this.channel(last) } : pending;
  }

  private channel(channel: string): { type?: string } {
    const { namedChannel, type } = this.world.scenario;
    if (namedChannel === 'none') return {};
    return { type: namedChannel === 'its own' ? channel : type };
  }
}
