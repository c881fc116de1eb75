/** How the model gateway answers the operation `status`, and how that fails. */
import { empty, fewValued, html, json, rateLimit, refusal, results, withNoise } from './answers.mts';
import type { Plan } from './conduct.mts';
import { LIMITED, limited, unreached } from './conduct.mts';
import type { FullResponse, Operation, RequestRecord, ResultItem, Told } from './exchange.mts';
import type { GatewayView } from './gateway-view.mts';
import type { Random } from './random.mts';
import { shuffled } from './random.mts';
import type { StatusFault } from './scenario.mts';
import { isRefused } from './ledger.mts';
import { asksToWait, COMMON_STATES, gibberish, OWN_STATES, REJECTED } from './words.mts';

export function statusPlan(gateway: GatewayView, request: RequestRecord): Plan {
  const { random, traits, time } = gateway;
  const { spans, faultRate } = traits.status;
  request.told = request.operations.map(() => 'useless');
  if (isTooFast(gateway, request)) return limitedByTime(gateway, request);
  const { outage, limiter } = traits;
  if (limiter?.isForAll && time >= limiter.from && time < limiter.to)
    return replying(gateway, request, LIMITED, () => limited(gateway, request, limiter));
  if (outage && time >= outage.from && time < outage.to)
    return failing(gateway, request, outage.status, outage.words);
  const span = spans.find(({ from, to }) => time >= from && time < to);
  if (span) return failing(gateway, request, span.kind, span.words);
  if (!random.chance(faultRate)) {
    const { limit } = traits.status;
    const isTooMuch = limit !== undefined && request.operations.length > limit.ids;
    return replying(gateway, request, isTooMuch ? TOO_MANY_IDS : '', isTooMuch ? limitedByNumber : answers);
  }
  const fault = random.pick<StatusFault>([
    'alike',
    'limited',
    'refused',
    'broken',
    'broken',
    'late',
    'vague',
    'vague',
    'damaged',
    'reordered',
    'unreached',
  ]);
  // Never the same twice, and so never like an answer that stays the same.
  return failing(gateway, request, fault, `${gibberish(random)} ${gibberish(random)}`);
}

/** The fault of a question about more ids than the gateway answers. */
export const TOO_MANY_IDS = 'too many ids';

/** Whether it answered as many requests as it answers in that time. */
function isTooFast({ traits, requests, clock }: GatewayView, request: RequestRecord): boolean {
  const { pace } = traits.status;
  if (pace === undefined) return false;
  const recent = requests.filter(
    (one) => one !== request && one.kind === 'status' && one.leftAt > clock.now - pace.within,
  );
  return recent.filter(({ fault }) => fault !== TOO_FAST).length >= pace.requests;
}

/** The fault of a question that came too soon after others. */
export const TOO_FAST = 'too many requests';

function limitedByTime(gateway: GatewayView, request: RequestRecord): Plan {
  const { pace } = gateway.traits.status;
  const { code = 429, hasRetryAfter = false, words = '', within = 0 } = pace ?? {};
  return replying(gateway, request, TOO_FAST, () => {
    const response = refusal(words, gateway.traits, code);
    request.asksFor = hasRetryAfter ? within : 0;
    if (!hasRetryAfter) return response;
    request.retryAfter = within;
    return { ...response, headers: { ...response.headers, 'retry-after': String(within / 1000) } };
  });
}

function limitedByNumber(gateway: GatewayView, request: RequestRecord): FullResponse {
  const { traits } = gateway;
  const { ids = 0, way = 200, words = '' } = traits.status.limit ?? {};
  const { operations } = request;
  if (way === 413 || way === 429) return html(way);
  if (way === 200 || way === 400) return refusal(words, traits, way);
  const told: Told[] = [];
  const answered = results(
    operations.map((operation, index): ResultItem => {
      if (index >= ids) return { success: false, error: words, data: { id: operation.id } };
      const [item, what] = replyTo(gateway, operation);
      told[index] = what;
      return item;
    }),
    traits,
  );
  if (way === 'rows') {
    request.answered = ids;
    request.told = operations.map((_, index) => told[index] ?? 'useless');
    return answered;
  }
  const { data, ...rest } = JSON.parse(answered.body) as { data: unknown[] };
  return json({ ...rest, data: data.slice(0, ids) });
}

type Respond = (gateway: GatewayView, request: RequestRecord) => FullResponse;

function replying(gateway: GatewayView, request: RequestRecord, fault: string, respond: Respond): Plan {
  return {
    fault,
    ending: 'answered',
    reply: {
      kind: 'response',
      delay: gateway.random.between(2, fault === '' ? 60 : 500),
      respond: () => respond(gateway, request),
    },
  };
}

function failing(gateway: GatewayView, request: RequestRecord, kind: StatusFault, words: string): Plan {
  const { random, traits, clock } = gateway;
  const { operations } = request;
  const reply = (respond: Respond): Plan => replying(gateway, request, `${kind} "${words}"`, respond);
  switch (kind) {
    case 'unreached':
      return unreached(random);
    case 'late':
      return { ...reply(() => html(504)), ...(random.chance(0.5) && { reply: undefined }) };
    case 'broken': {
      if (random.chance(0.5))
        return reply(() => random.pick([html, empty])(random.pick([500, 502, 503, 200])));
      const delay = random.between(5, 500);
      return {
        ...reply(() => html(200)),
        reply: { kind: 'failure', delay, code: 'ECONNRESET', message: 'socket hang up' },
      };
    }
    case 'limited': {
      const text = random.chance(0.5) ? words : undefined;
      const { response, wait, isDate } = rateLimit(random, clock.now, text);
      return reply(() => {
        // Without a time, words that nobody knows don't say how long, nor that it is about the time at all.
        request.asksFor = wait ?? (text === undefined || asksToWait(text) ? 0 : undefined);
        if (isDate) request.hasRetryDate = true;
        else if (wait !== undefined) request.retryAfter = wait;
        return response;
      });
    }
    case 'refused':
      return reply(() => {
        if (asksToWait(words)) request.asksFor = 0;
        return refusal(words, traits, random.pick([200, 200, 400, 500]));
      });
    case 'alike':
      return reply(() =>
        results(
          operations.map(({ id }) => ({ success: false, error: words, data: { id } })),
          traits,
        ),
      );
    case 'vague':
      return reply(() => answers(gateway, request, vagueness(random)));
    case 'reordered':
      return reply(() => answers(gateway, request, () => false, true));
    case 'damaged':
      return reply(() => damaged(gateway, operations));
  }
}

/** Of messages that it has, some; of ids that it doesn't know, all or none. */
function vagueness(random: Random): (told: Told) => boolean {
  const forgets = random.chance(0.5);
  return (told) => (told === 'absent' || told === 'useless' ? forgets : random.chance(0.5));
}

/** What it says of each id, and notes that it did. */
function answers(
  gateway: GatewayView,
  request: RequestRecord,
  isVague: (told: Told) => boolean = () => false,
  isShuffled = false,
): FullResponse {
  const { traits, random } = gateway;
  const { absence } = traits.status;
  const { operations } = request;
  if (absence.form === 'whole' && operations.some(({ id }) => !gateway.known(id))) {
    return refusal(absence.words, traits);
  }
  const told: Told[] = [];
  const words = `${gibberish(random)} ${gibberish(random)}`;
  const items = operations.map((operation): ResultItem => {
    const [item, what] = replyTo(gateway, operation);
    if (!isVague(what)) {
      told.push(what);
      return item;
    }
    told.push('useless');
    return { success: false, error: words, data: { id: operation.id } };
  });
  request.told = told;
  const noisy = withNoise(items, gateway);
  request.few = noisy.map(fewValued);
  return results(isShuffled ? shuffled(noisy, random) : noisy, traits);
}

function replyTo(gateway: GatewayView, { id }: Operation): [ResultItem, Told] {
  const { traits, random, manners, clock } = gateway;
  const entry = gateway.known(id);
  if (!entry) return replyToNobody(gateway, id);
  const { type } = entry;
  if (isRefused(entry)) {
    const { state } = entry;
    const reason = manners.chance(0.3) ? { error: traits.badWords } : {};
    const told = state === REJECTED ? 'rejected' : 'logged';
    return [{ success: true, data: { id, type, status: state, ...reason } }, told];
  }
  const { pending } = traits.status;
  if (entry.at + pending.for > clock.now) {
    return [{ success: false, error: pending.words, data: { id } }, 'useless'];
  }
  if (entry.failure !== undefined)
    return [{ success: true, data: { id, type, status: entry.failure } }, 'failed'];
  const hasNumber = random.chance(0.3);
  const number = hasNumber ? { msg_id: `9${String(id)}` } : {};
  if (traits.ownStates && manners.chance(0.5))
    return [{ success: true, data: { id, type, status: manners.pick(OWN_STATES), ...number } }, 'unlisted'];
  if (type.includes('viber') && manners.chance(0.1)) {
    const replies = [{ datetime: '2026-01-01T10:00:00Z', message: 'Yes' }];
    return [{ success: true, data: { id, type, status: 'UNKNOWN', ...number, replies } }, 'known'];
  }
  return [{ success: true, data: { id, type, status: random.pick(COMMON_STATES), ...number } }, 'known'];
}

/** What it says of an id that it doesn't know. */
function replyToNobody({ traits, manners }: GatewayView, id: Operation['id']): [ResultItem, Told] {
  const { form, words, isDubious, messageId } = traits.status.absence;
  const told = isDubious ? 'useless' : 'absent';
  const text = words.replace('{id}', String(id));
  if (form !== 'success') return [{ success: false, error: text, data: { id } }, told];
  const number = messageId === 'random' ? manners.between(1, 2 ** 40) : messageId;
  const fields = number === undefined ? {} : { msg_id: number };
  return [{ success: true, data: { id, ...fields, status: text } }, told];
}

function damaged({ traits, random }: GatewayView, operations: Operation[]): FullResponse {
  const short = results(
    operations.slice(1).map(({ id }) => ({ success: true, data: { id, status: 'DELIVERED' } })),
    traits,
  );
  return random.pick([
    html(200),
    short,
    json({ success: true }),
    json({ success: true, data: 17 }),
    { ...short, body: short.body.slice(0, -4) },
  ]);
}
