/** What the node does, whatever the gateway does: when a message may leave again, and with which id. */
import type { Evidence } from './evidence.mts';
import { saidOf } from './evidence.mts';
import type { Violation } from './outcome.mts';

/** Operations of which `status` isn't known to know anything. */
const UNPROVEN = ['call/otp'];

export function protocolViolations(evidence: Evidence): Violation[] {
  return [...sharedIds(evidence), ...repeatedSends(evidence)];
}

/** Ids that the node makes differ within an execution. */
function sharedIds({ runs, sends }: Evidence): Violation[] {
  const owners = new Map<string, string>();
  const ownIds = new Set(
    runs.flatMap(({ plan }) =>
      plan.items.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId])),
    ),
  );
  const violations: Violation[] = [];
  for (const [key, [{ id, request }]] of sends) {
    if (ownIds.has(Number(id))) continue;
    const place = `${request.origin.lineage}/${id}`;
    const owner = owners.get(place);
    if (owner !== undefined)
      violations.push({ invariant: 'ids differ', words: `${owner} and ${key} have the id ${id}` });
    owners.set(place, key);
  }
  return violations;
}

function repeatedSends({ sends }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const found = (invariant: string, words: string): void => void violations.push({ invariant, words });
  for (const [key, list] of sends) {
    for (const [i, { request, id, index }] of list.entries()) {
      const before = list[i - 1];
      if (!before || (request.origin.isBlind && !before.request.origin.isBlind)) continue;
      const where = `${key} left with #${request.number}`;
      const { ending, endedAt = Infinity, number, endpoint } = before.request;
      if (id !== before.id) found('same id', `${where} as ${id}, and with #${number} as ${before.id}`);
      if (request.leftAt < endedAt) found('one at a time', `${where} while #${number} was under way`);
      if (saidOf(before) === true) found('accepted is not sent again', `${where}, accepted by #${number}`);
      if (ending === 'late' || ending === 'stopped') {
        found('late is not sent again', `${where} after #${number} (${before.request.fault || ending})`);
      }
      if (ending === 'broken' && endpoint === 'async')
        found('the queue gets nothing twice', `${where} after #${number}`);
      const isProof =
        ending === 'before' || saidOf(before) === false || before.request.words === 'Access denied';
      if (!isProof && UNPROVEN.includes(request.operations[index].type)) {
        found('no proof by status', `${where} after #${number}, which may have been taken`);
      }
    }
  }
  return violations;
}
