/** What the node does, whatever the gateway does: when a message may leave again, and with which id. */
import type { Evidence } from './evidence.mts';
import { saidOf } from './evidence.mts';
import type { Check } from './outcome.mts';

/** Operations of which `status` isn't known to know anything. */
const UNPROVEN = ['call/otp'];

export function judgeProtocol(evidence: Evidence, check: Check): void {
  judgeIds(evidence, check);
  judgeRepeats(evidence, check);
}

/** Ids that the node makes differ within an execution. */
function judgeIds({ runs, sends }: Evidence, check: Check): void {
  const owners = new Map<string, string>();
  const ownIds = new Set(
    runs.flatMap(({ plan }) =>
      plan.items.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId])),
    ),
  );
  for (const [key, [{ id, request }]] of sends) {
    if (ownIds.has(Number(id))) continue;
    const place = `${request.origin.lineage}/${id}`;
    const owner = owners.get(place);
    check('ids differ', owner === undefined, `${owner} and ${key} have the id ${id}`);
    owners.set(place, key);
  }
}

function judgeRepeats({ sends, questions }: Evidence, check: Check): void {
  for (const [key, list] of sends) {
    for (const [i, { request, id, index }] of list.entries()) {
      const before = list[i - 1];
      if (!before || (request.origin.isBlind && !before.request.origin.isBlind)) continue;
      const where = `${key} left with #${request.number}`;
      const { ending, endedAt = Infinity, number, endpoint } = before.request;
      check('same id', id === before.id, `${where} as ${id}, and with #${number} as ${before.id}`);
      check('one at a time', request.leftAt >= endedAt, `${where} while #${number} was under way`);
      check('accepted is not sent again', saidOf(before) !== true, `${where}, accepted by #${number}`);
      const isLate = ending === 'late' || ending === 'stopped';
      const how = before.request.fault || ending;
      // What `status` calls REJECTED was not sent.
      const isRejected = questions
        .get(id)
        ?.some(
          ({ told, request: { number: asked } }) =>
            told === 'rejected' && asked > number && asked < request.number,
        );
      check('late is not sent again', !isLate || isRejected === true, `${where} after #${number} (${how})`);
      const isQueued = ending === 'broken' && endpoint === 'async';
      check('the queue gets nothing twice', !isQueued || isRejected === true, `${where} after #${number}`);
      const isProof =
        ending === 'before' || saidOf(before) === false || before.request.words === 'Access denied';
      const isProvable = !UNPROVEN.includes(request.operations[index].type);
      const words = `${where} after #${number}, which may have been taken`;
      check('no proof by status', isProof || isProvable || isRejected === true, words);
    }
  }
}
