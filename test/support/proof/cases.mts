/** What the proof tries, and what has to be true of it afterwards. */
import type { Conduct } from './gateway.mts';
import { ABSENCES, WORDINGS } from './wordings.mts';

/** Messages of one case, which go in one request. */
export const COUNT = 60;

export type Mode = 'continue' | 'retry';

export interface Case {
  name: string;
  mode: Mode;
  conduct: Conduct;
}

/** One output of the node. */
export interface Row {
  phone?: number;
  msg_id?: unknown;
  request_id?: unknown;
  error?: string;
  message?: string;
  state?: string;
}

const MODES: readonly Mode[] = ['continue', 'retry'];
/** A part of none, 40 % and all. */
const SHARES = [0, 0.4, 1];
/** `status` may be up to two seconds late after an answer. */
const LAGS = [0, 400, 1500];

/** Milliseconds: longer than a broken exchange is given to settle, and than most gateways' own limit. */
const HOLD = 31_000;

const pick = <T,>(list: readonly T[], place: number): T => list[place % list.length];

/** Words after none, some or all of the messages were taken. */
export function wordingCases(wordings: readonly string[] = [...WORDINGS, '']): Case[] {
  let serial = 0;
  return wordings.flatMap((refusal) =>
    SHARES.flatMap((share) =>
      MODES.map((mode): Case => {
        serial += 1;
        const conduct = { share, refusal, absence: pick(ABSENCES, serial), lag: pick(LAGS, serial >> 1) };
        return { name: `"${refusal}", ${100 * share} % taken, ${mode}`, mode, conduct };
      }),
    ),
  );
}

/** Exchanges that are held and break; the batch is taken up to three seconds later, or never. */
export function holdCases(): Case[] {
  return (['reset', 502, 503] as const).flatMap((by, place) =>
    [0, 1000, 3000, undefined].flatMap((takesAfter) =>
      MODES.map((mode): Case => {
        const hold = { for: HOLD, takesAfter, by };
        const name = `held for ${HOLD} ms, then ${by}, ${takesAfter === undefined ? 'never taken' : `taken ${takesAfter} ms later`}, ${mode}`;
        return { name, mode, conduct: { share: 1, hold, absence: pick(ABSENCES, place), lag: 0 } };
      }),
    ),
  );
}

/** Requests that something on the way repeats, and a queue's answer of the synchronous endpoint. */
export function otherCases(): Case[] {
  const base: Conduct = { share: 1, absence: ABSENCES[1], lag: 500 };
  return MODES.flatMap((mode): Case[] => [
    { name: `repeated, ${mode}`, mode, conduct: { ...base, repeats: true } },
    {
      name: `repeated, duplicates refused, ${mode}`,
      mode,
      conduct: { ...base, repeats: true, refusesDuplicates: true },
    },
    { name: `acknowledged, ${mode}`, mode, conduct: { ...base, acknowledges: true } },
  ]);
}

/** Returns what is not as it has to be, in words; takes the outputs of a case and what the gateway took. */
export function faultsOf({ conduct }: Case, rows: Row[], taken: Map<number, number>): string[] {
  const faults: string[] = [];
  const doubled = [...taken.values()].filter((requests) => requests > 1).length;
  if (doubled > 0) faults.push(`${doubled} of ${COUNT} were taken twice`);
  if (rows.length !== COUNT) faults.push(`${rows.length} outputs for ${COUNT} rows`);
  const wrong = new Map<string, number>();
  for (const row of rows) {
    const fault = faultOf(row, taken.has(Number(row.phone)), conduct);
    if (fault !== undefined) wrong.set(fault, (wrong.get(fault) ?? 0) + 1);
  }
  return [...faults, ...[...wrong].map(([fault, count]) => `${count} rows: ${fault}`)];
}

/** `status` of this gateway always tells in the end, so that nothing may stay unknown. */
function faultOf(row: Row, isTaken: boolean, { refusal = '', acknowledges }: Conduct): string | undefined {
  const text = `${row.error ?? ''} ${row.message ?? ''}`;
  if (isTaken) {
    if (row.error !== undefined)
      return `taken, and reported as: ${row.error.replace(/\d{6,}|\[item \d+\]/g, '…')}`;
    const proof = acknowledges ? row.request_id : row.msg_id;
    return proof === undefined ? 'taken, without the number that the gateway gave it' : undefined;
  }
  if (row.error === undefined) return 'not taken, and reported as sent';
  if (/may have (accepted|taken)|unknown/i.test(text))
    return `not taken, and reported as: ${row.error.replace(/\d{6,}|\[item \d+\]/g, '…')}`;
  return text.includes(refusal)
    ? undefined
    : `not taken, without the words of the gateway: ${text.slice(0, 200)}`;
}
