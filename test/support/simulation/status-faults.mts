/** How the model gateway answers the operation `status`, and how that fails. */
import { GATEWAY_FAULTS, html, json, rateLimit, refusal, results, serverError } from './answers.mts';
import type { Plan } from './faults.mts';
import { connectionPlan } from './faults.mts';
import type { FullResponse, ModelGateway, RequestRecord, ResultItem } from './gateway.mts';
import { shuffled } from './random.mts';
import type { Cause } from './scenario.mts';

type StatusCause = Cause | 'damaged' | 'vague' | 'reordered';

const ABSENT = ['Message not found', 'Not found', 'No such message', 'ID not found'] as const;

export function statusPlan(gateway: ModelGateway, request: RequestRecord, outage: Cause | undefined): Plan {
  const { random, traits } = gateway;
  if (outage) return failing(gateway, request, outage);
  if (!random.chance(traits.statusFaultRate)) return answering(gateway, request, '');
  const cause = random.pick<StatusCause>([
    'lost',
    'serverError',
    'serverError',
    'late',
    'damaged',
    'vague',
    'vague',
    'reordered',
    'connection',
    'rateLimit',
    'refused',
  ]);
  return failing(gateway, request, cause);
}

function failing(gateway: ModelGateway, request: RequestRecord, cause: StatusCause): Plan {
  const { random, traits } = gateway;
  const { operations } = request;
  const delay = random.between(5, 500);
  const plan = (fault: string, respond: () => FullResponse): Plan => ({
    fault,
    takes: [],
    proof: 'told',
    proofs: [],
    work: { items: [] },
    reply: { kind: 'response', delay, respond },
  });
  switch (cause) {
    case 'connection':
      return connectionPlan(gateway, operations);
    case 'lost':
      return {
        ...plan('connection lost', () => html(200)),
        reply: { kind: 'failure', delay, code: 'ECONNRESET', message: 'socket hang up' },
      };
    case 'late':
      return { ...plan('no answer', () => html(200)), reply: undefined };
    case 'rateLimit':
      return plan('rate limit', () => rateLimit(gateway));
    case 'serverError':
      return plan('server error', () => serverError(random, traits, random.pick([500, 502, 503, 504])));
    case 'refused':
      return plan('refused', () =>
        refusal(random.pick(['Invalid message type', 'Access denied', 'Out of order']), traits),
      );
    case 'damaged':
    case 'vague':
    case 'reordered':
      return answering(gateway, request, cause);
  }
}

function answering(gateway: ModelGateway, { operations }: RequestRecord, cause: '' | StatusCause): Plan {
  const { random, traits } = gateway;
  const absent = random.pick(ABSENT);
  const reply = ({ id }: { id: number | string }): ResultItem => {
    if (cause === 'vague' && random.chance(0.5)) return vague(gateway, id);
    return gateway.knows(id)
      ? {
          success: true,
          data: { id, type: 'sms', status: random.pick(['ACCEPTED', 'DELIVERED', 'REJECTED']) },
        }
      : { success: false, error: absent, data: { id } };
  };
  const respond = (): FullResponse => {
    const items = operations.map(reply);
    if (cause === 'reordered') return results(shuffled(items, random), traits);
    if (cause !== 'damaged') return results(items, traits);
    const short = results(items.slice(1), traits);
    return random.pick([
      html(200),
      short,
      json({ success: true }),
      { ...short, body: short.body.slice(0, -4) },
    ]);
  };
  return {
    fault: cause,
    takes: [],
    proof: 'told',
    proofs: [],
    work: { items: [] },
    reply: { kind: 'response', delay: random.between(2, 60), respond },
  };
}

const NOT_YET = [
  'Not now',
  'Message has not been sent yet',
  'No status yet',
  'Status not known yet',
  'No data yet',
] as const;

/** An answer that tells nothing about a message, whether the gateway has it or not. */
function vague({ random }: ModelGateway, id: number | string): ResultItem {
  return random.pick<ResultItem>([
    { success: true, data: { id, type: 'sms', status: 'UNKNOWN' } },
    { success: true, data: { id } },
    { success: false, error: random.pick(GATEWAY_FAULTS), data: { id } },
    { success: false, error: random.pick(NOT_YET), data: { id } },
    { success: true, data: { id, type: 'sms', status: 'NO STATUS' } },
  ]);
}
