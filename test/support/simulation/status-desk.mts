/** How the model gateway answers the operation `status`, and how that fails. */
import { empty, html, json, rateLimit, refusal, results } from './answers.mts';
import type { Plan } from './conduct.mts';
import { unreached } from './conduct.mts';
import type { FullResponse, ModelGateway, Operation, RequestRecord, ResultItem, Told } from './gateway.mts';
import type { Random } from './random.mts';
import { shuffled } from './random.mts';
import type { StatusFault } from './scenario.mts';
import { FAILED_STATE, gibberish, STATES } from './words.mts';

export function statusPlan(gateway: ModelGateway, request: RequestRecord): Plan {
  const { random, traits, time } = gateway;
  const { spans, faultRate } = traits.status;
  request.told = request.operations.map(() => 'useless');
  const span = spans.find(({ from, to }) => time >= from && time < to);
  if (span) return failing(gateway, request, span.kind, span.words);
  if (!random.chance(faultRate)) return replying(gateway, request, '', answers);
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

type Respond = (gateway: ModelGateway, request: RequestRecord) => FullResponse;

function replying(gateway: ModelGateway, request: RequestRecord, fault: string, respond: Respond): Plan {
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

function failing(gateway: ModelGateway, request: RequestRecord, kind: StatusFault, words: string): Plan {
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
      const { response, wait, isDate } = rateLimit(random, clock.now, random.chance(0.5) ? words : undefined);
      return reply(() => {
        if (wait !== undefined) request.retryAfter = wait;
        if (isDate) request.hasRetryDate = true;
        return response;
      });
    }
    case 'refused':
      return reply(() => refusal(words, traits, random.pick([200, 200, 400, 500])));
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
  return (told) => (told === 'known' || told === 'failed' ? random.chance(0.5) : forgets);
}

/** What it says of each id, and notes that it did. */
function answers(
  gateway: ModelGateway,
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
  return results(isShuffled ? shuffled(items, random) : items, traits);
}

function replyTo(gateway: ModelGateway, { id }: Operation): [ResultItem, Told] {
  const { traits, random } = gateway;
  const { form } = traits.status.absence;
  const take = gateway.known(id);
  const { pending } = traits.status;
  if (take && take.at + pending.for > gateway.clock.now) {
    return [{ success: false, error: pending.words, data: { id } }, 'useless'];
  }
  if (take?.hasFailed)
    return [{ success: true, data: { id, type: take.type, status: FAILED_STATE } }, 'failed'];
  if (take) {
    const status = random.pick(STATES);
    const hasNumber = random.chance(0.3);
    const payload = { id, type: take.type, status, ...(hasNumber && { msg_id: `9${String(id)}` }) };
    // Words that nobody knows show a message too: the answer has its type, which a gateway can't know of another `id`.
    return [{ success: true, data: payload }, 'known'];
  }
  const { words, isDubious } = traits.status.absence;
  const told = isDubious ? 'useless' : 'absent';
  const text = words.replace('{id}', String(id));
  return form === 'success'
    ? [{ success: true, data: { id, status: text } }, told]
    : [{ success: false, error: text, data: { id } }, told];
}

function damaged({ traits, random }: ModelGateway, operations: Operation[]): FullResponse {
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
