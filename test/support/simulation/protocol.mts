/** What the node does, whatever the gateway does: when a message may leave again. */
import type { ModelGateway, Proof, RequestRecord } from './gateway.mts';
import type { Evidence } from './invariants.mts';
import { stateOf } from './invariants.mts';
import type { Violation } from './outcome.mts';

/** One departure of a message. */
export interface Sending {
  request: RequestRecord;
  id: string;
  proof: Proof;
}

/** The departures of each message, by its text, in order. */
export type Sends = Map<string, Sending[]>;

export function sendsByText({ requests }: ModelGateway): Sends {
  const sends: Sends = new Map();
  for (const request of requests) {
    if (request.kind !== 'send') continue;
    request.operations.forEach(({ id, sms_message: text = '' }, i) => {
      const sending: Sending = { request, id: String(id), proof: request.proofs[i] };
      const list = sends.get(text);
      if (list) list.push(sending);
      else sends.set(text, [sending]);
    });
  }
  return sends;
}

const UNCLEAR: readonly Proof[] = ['lost', 'late', 'stopped'];

/**
 * Ids that the node makes differ within an execution; and when a message may leave again: not while it is under way, not
 * once it was accepted, and where its fate was unclear once, after the settling time and a question.
 */
export function protocolViolations(evidence: Evidence): Violation[] {
  return [...sharedIds(evidence), ...repeatedSends(evidence)];
}

function sharedIds({ runs, sends }: Evidence): Violation[] {
  const owners = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { execution, plan } of runs) {
    for (const { text, messageId } of plan.items) {
      const id = sends.get(text)?.[0].id;
      if (id === undefined || messageId !== undefined) continue;
      const key = `${execution}/${id}`;
      const owner = owners.get(key);
      if (owner !== undefined && owner !== text) {
        violations.push({ invariant: 'ids differ', words: `"${owner}" and "${text}" have the id ${id}` });
      }
      owners.set(key, text);
    }
  }
  return violations;
}

function repeatedSends(evidence: Evidence): Violation[] {
  const { scenario, gateway, sends, takesByText } = evidence;
  const violations: Violation[] = [];
  const questions = new Map<string, RequestRecord[]>();
  for (const request of gateway.requests) {
    if (request.kind !== 'status') continue;
    for (const { id } of request.operations) {
      const list = questions.get(String(id));
      if (list) list.push(request);
      else questions.set(String(id), [request]);
    }
  }
  const certain = certainTries(evidence);
  for (const [text, list] of sends) {
    if (new Set(list.map(({ id }) => id)).size > 1) {
      violations.push({ invariant: 'same id', words: `"${text}" left with several ids` });
    }
    let unclear = 0;
    let open: Sending | undefined;
    for (const [i, sending] of list.entries()) {
      const { request, proof, id } = sending;
      const before = list[i - 1];
      // What was certainly not taken starts anew with the next try.
      if (
        before &&
        isCertainSince(certain.get(text), before.request.origin.attempt, request.origin.attempt)
      ) {
        unclear = 0;
        open = undefined;
      }
      const where = `"${text}" (id ${id}) left with #${request.number}`;
      if (before && request.leftAt < (before.request.endedAt ?? Infinity)) {
        violations.push({
          invariant: 'one at a time',
          words: `${where} while #${before.request.number} was under way`,
        });
      }
      if (
        before?.proof === 'told' &&
        takesByText.get(text)?.some((take) => take.request === before.request)
      ) {
        violations.push({
          invariant: 'accepted is not sent again',
          words: `${where}, accepted by #${before.request.number}`,
        });
      }
      if (open) {
        const { request: lost, proof: kind } = open;
        const settledAt = lost.leftAt + scenario.gateway.settling;
        const asked = questions
          .get(id)
          ?.some(({ leftAt, endedAt = Infinity }) => leftAt >= settledAt && endedAt <= request.leftAt);
        if (lost.endpoint === 'async') {
          // `status` may not know yet what is in the queue.
          violations.push({
            invariant: 'the queue gets nothing twice',
            words: `${where} after #${lost.number}`,
          });
        } else if (kind !== 'lost') {
          violations.push({
            invariant: 'late is not sent again',
            words: `${where} after #${lost.number} (${kind})`,
          });
        } else if (request.leftAt < settledAt) {
          violations.push({
            invariant: 'settling time',
            words: `${where} before #${lost.number} has settled`,
          });
        } else if (!asked) {
          violations.push({
            invariant: 'asked before sent again',
            words: `${where}, after #${lost.number}, without a question`,
          });
        }
        if (unclear > 1) {
          violations.push({
            invariant: 'sent again once',
            words: `${where} after it was sent again already`,
          });
        }
      }
      if (UNCLEAR.includes(proof)) {
        unclear += 1;
        open = sending;
      }
    }
  }
  return violations;
}

/** The tries that ended in certainty that a message was not taken, by its text. */
function certainTries({ runs }: Evidence): Map<string, number[]> {
  const certain = new Map<string, number[]>();
  for (const { plan, tries } of runs) {
    for (const [attempt, { results = [] }] of tries.entries()) {
      for (const [item, result] of results.entries()) {
        const state = stateOf(result);
        if (state !== 'refused' && state !== 'notSent') continue;
        const { text } = plan.items[item];
        const list = certain.get(text);
        if (list) list.push(attempt);
        else certain.set(text, [attempt]);
      }
    }
  }
  return certain;
}

const isCertainSince = (certain: number[] = [], before: number, now: number): boolean =>
  certain.some((attempt) => attempt >= before && attempt < now);
