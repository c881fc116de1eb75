import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';

/** Phone number of message 0; the others count on from it. */
export const FIRST_PHONE = 380501230000;

/** Items of messages, each with its number and a phone of its own. */
export const recipients = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, n) => ({ n, phone: String(FIRST_PHONE + n) }));

/**
 * What becomes of message n: by its place among 20, one never hears anything, one has an outcome without a callback,
 * two are reported twice, one is refused by its network, one is read.
 */
export const fate = (n: number) => {
  const place = n % 20;
  const status = place === 3 ? 'REJECTED' : place === 4 ? 'READ' : 'DELIVERED';
  return {
    never: place === 0,
    mute: place === 1,
    duplicates: place === 5 || place === 6 ? 1 : 0,
    status,
    outcome: { REJECTED: 'failed', READ: 'read', DELIVERED: 'delivered' }[status],
  };
};

/** Has the sandbox decide all messages so, shuffled, each at some time within so many milliseconds. */
export function decideFates(sandbox: Sandbox, withinMs: number): void {
  // A callback that n8n answers with 409, since the execution does not sleep yet, is lost for good.
  sandbox.configure({ callbacks: { shuffleMs: Math.min(withinMs, 500), attempts: 1 } });
  sandbox.decideOutcome(({ phone }) => {
    const { never, mute, duplicates, status } = fate(phone - FIRST_PHONE);
    return { steps: never ? [] : [{ status, afterMs: [0, withinMs] }], mute, duplicates };
  });
}

/** What has to come out for the messages, in their order: who never hears anything stays with the last status known. */
export const fates = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const { never, outcome } = fate(n);
    return { n, outcome: never ? 'pending' : outcome, final: !never };
  });
