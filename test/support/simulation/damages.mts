/** Answers that are damaged, or whole but wrong about single operations. */
import { answerOf, brokenOff, GATEWAY_FAULTS, html, json, refusal, results } from './answers.mts';
import type { TextResponse } from './answers.mts';
import { arrival, drawTakes, workTime } from './faults.mts';
import type { Plan } from './faults.mts';
import type { FullResponse, ModelGateway, Proof, RequestRecord, ResultItem, Work } from './gateway.mts';
import { shuffled } from './random.mts';
import type { GatewayTraits } from './scenario.mts';

const DAMAGES = ['cut', 'broken', 'short', 'long', 'foreign', 'html', 'empty', 'noData', 'swapped'] as const;

/** The gateway worked on the request, and its answer can't be read. */
export function damagedPlan(gateway: ModelGateway, request: RequestRecord): Plan {
  const { random, traits } = gateway;
  const { operations, endpoint } = request;
  const damage = random.pick(
    endpoint === 'sync' ? DAMAGES : (['cut', 'broken', 'html', 'empty', 'noData'] as const),
  );
  const { settling, mostLag, keepsSettlingTime } = traits;
  const latest = keepsSettlingTime ? settling - mostLag : 60_000;
  const workedAt = Math.min(arrival(random) + workTime(traits, operations), latest);
  return {
    fault: `damaged answer: ${damage}`,
    takes: operations.map(() => workedAt),
    proof: 'lost',
    proofs: [],
    work: { items: [] },
    reply: {
      kind: 'response',
      delay: workedAt + arrival(random),
      respond: (work) =>
        damaged({ ...answerOf(gateway, work, endpoint), statusCode: 200 }, damage, work, traits),
    },
  };
}

function damaged(
  response: TextResponse,
  damage: (typeof DAMAGES)[number],
  { items, refusal: whole }: Work,
  traits: GatewayTraits,
): FullResponse {
  const { body } = response;
  switch (damage) {
    case 'cut':
      return { ...response, body: body.slice(0, Math.max(1, body.length - 3)) };
    case 'broken':
      return { ...response, body: brokenOff(body.slice(0, body.length / 2)) };
    case 'html':
      return html(200);
    case 'empty':
      return { ...response, body: '' };
    case 'noData':
      return json({ success: true });
    default:
  }
  if (whole !== undefined) return html(200);
  const [first] = items;
  if (damage === 'short') return results(items.slice(1), traits);
  if (damage === 'long') return results([...items, first], traits);
  // Somebody else's answer, or one that holds a message twice.
  const foreign = damage === 'foreign' || items.length < 2;
  const stranger: ResultItem = { ...first, data: { ...first.data, id: foreign ? 4 : items[1].data?.id } };
  return results([stranger, ...items.slice(1)], traits);
}

/** The answer is whole, and says something else about single operations, or comes in another order. */
export function itemPlan(
  gateway: ModelGateway,
  request: RequestRecord,
  cause: 'reordered' | 'itemFaults' | 'itemRefusals',
): Plan {
  const { random, traits } = gateway;
  const { operations } = request;
  const share = random.pick([0.1, 0.5, 1]);
  const isHit = operations.map(() => cause !== 'reordered' && random.chance(share));
  const late = drawTakes(gateway, request, false);
  const workedAt = arrival(random) + workTime(traits, operations);
  const words = random.pick(cause === 'itemFaults' ? GATEWAY_FAULTS : ITEM_REFUSALS);
  const hitTakes = (i: number) => (cause === 'itemFaults' ? late[i] : undefined);
  const item = (work: Work, i: number): ResultItem =>
    isHit[i] ? { success: false, error: words, data: { id: operations[i].id } } : work.items[i];
  const proofs = isHit.map((hit): Proof => (!hit ? 'told' : cause === 'itemFaults' ? 'lost' : 'notTaken'));
  return {
    fault: cause === 'reordered' ? 'reordered' : `${words}: ${isHit.filter(Boolean).length} operations`,
    takes: operations.map((_, i) => (isHit[i] ? hitTakes(i) : workedAt)),
    proof: 'told',
    proofs,
    work: { items: [] },
    reply: {
      kind: 'response',
      delay: workedAt + arrival(random),
      respond(work) {
        if (work.refusal !== undefined) {
          proofs.length = 0;
          return refusal(work.refusal, traits);
        }
        const items = operations.map((_, i) => item(work, i));
        return results(cause === 'reordered' ? shuffled(items, random) : items, traits);
      },
    },
  };
}

const ITEM_REFUSALS = [
  'Operator not supported',
  'No route to this number',
  'Insufficient funds',
  'Message was already sent to this recipient within 60 seconds',
] as const;
