import { createHash } from 'crypto';

import type { MessageId } from './status-proof';

/**
 * How many controls, ids that nobody has sent, a `status` request has beside messages.
 * @param room ids in one request
 * @param messages that are to be asked about
 * @param most ids that were answered in one request so far
 */
export function controlsIn(room: number, messages: number, most: number): number {
  // With one control, nobody sees what an answer says only because of the place.
  if (room <= 2) return 0;
  const count = Math.min(messages, room - 2);
  // With more ids than before, the last one of three shows whether the gateway looks at so many.
  return count > 1 && count + 2 > most ? 3 : 2;
}

/**
 * Where controls stand among messages: the first one before them all, the others after so many of them.
 * @param answers that came before: two controls aren't always in the same places, so that what depends on the place is found
 *   to be noise
 */
export function controlPlaces(controls: number, messages: number, answers: number): number[] {
  // One of three isn't where another one is in the opposite order.
  if (controls === 3) return [0, Math.max(1, messages - 1), messages];
  return [0, answers % 2 === 1 ? messages : Math.ceil(messages / 2)].slice(0, controls);
}

/** Three ids of the form of those that the node makes. The same question has the same, so that runs can be repeated. */
export function controlsFor(ids: readonly MessageId[]): [number, number, number] {
  const digest = createHash('sha256')
    .update(`control question\n${ids.join('\n')}`)
    .digest();
  const idAt = (offset: number): number => 2 ** 52 + digest.readUIntBE(offset, 6);
  return [idAt(0), idAt(6), idAt(12)];
}
