/** A desk that asks about the messages of a run, against answers that are given by id. */
import { StatusDesk } from '../../nodes/gateway/client/status-desk.ts';
import type { Answer, NoAnswer, Transport } from '../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../nodes/gateway/contract/operations.ts';
import { bounded, json } from './send-client.mts';

export type Id = WireOperation['id'];
export type Reply = Answer | NoAnswer;

interface Circumstances {
  witnesses?: Id[];
  batchSize?: number;
  /** Requests that may be made for nothing. */
  left?: number;
}

export const questionOf = (id: Id) => ({ id, type: 'sms' as const });

/** A desk, and the ids of the requests that it makes. */
export function deskOf(
  answer: (ids: Id[], request: number) => Reply,
  batchSize?: number,
  unusedId?: () => number,
) {
  const requests: Id[][] = [];
  const transport: Transport = async (_, data) => {
    requests.push(data.map(({ id }) => id));
    return await Promise.resolve(answer(requests[requests.length - 1], requests.length));
  };
  return { desk: new StatusDesk({ transport: bounded()(transport), unusedId }, batchSize), requests };
}

export async function ask(
  ids: Id[],
  answer: (ids: Id[], request: number) => Reply,
  { witnesses = [], batchSize, left = 100 }: Circumstances = {},
) {
  const { desk, requests } = deskOf(answer, batchSize);
  desk.left = left;
  const proofs = await desk.ask(ids.map(questionOf), witnesses.map(questionOf));
  return { kinds: proofs.map(({ is }) => is), requests, desk };
}

export const each =
  (answer: (id: Id) => object) =>
  (ids: Id[]): Answer =>
    json({ success: true, data: ids.map(answer) });
export const NOT_KNOWN = (id: Id) => ({ success: false, error: 'Zorble', data: { id } });
export const ACCEPTED = (id: Id) => ({ success: true, data: { id, type: 'sms', status: 'ACCEPTED' } });
export const knowing = (known: Id[]) => each((id) => (known.includes(id) ? ACCEPTED(id) : NOT_KNOWN(id)));
export const WHOLE = json({ success: false, error: 'Zorble' });
/** A `status` that takes so many ids, and knows some. */
export const limited =
  (most: number, known: Id[] = [], over: Reply = WHOLE) =>
  (ids: Id[]) =>
    ids.length > most ? over : knowing(known)(ids);
export const many = (count: number): Id[] => Array.from({ length: count }, (_, i) => i + 1);
