import { FIRST_LOOK_MS, LAG_MS, SETTLING_MS } from './timing';

/** What holds for a row that is in question, by why it is. */
export interface Rule {
  /** What it is called as long as nothing more is known, and in the end if `status` can't tell. */
  otherwise: 'refused' | 'unknown' | 'notSent';

  /** Time after the exchange by which the gateway's work on it is over: an absence proves something from then on. */
  settlesMs: number;

  /**
   * What becomes of it if the gateway certainly doesn't have it: it `leaves` like any other; `splits`: leaves in a
   * smaller part of its request, or is refused if it was alone; `resends`: leaves once more, and is not sent if that was
   * in vain; or it is `refused` or `unknown`.
   */
  ifAbsent: 'leaves' | 'splits' | 'resends' | 'refused' | 'unknown';

  /** Time after the exchange at which `status` is asked first. */
  firstLookMs: number;

  /** Whether the gateway refused it in words, which only a pending or arrived state overrules. */
  isRefusal?: true;

  /** Whether `status` is asked once and no more. */
  isAskedOnce?: true;

  /** Whether a message with the same key may be that of another run. */
  mayBeOlder?: true;
}

/**
 * The rules by which it is decided what became of a row. Whatever the cause, `status` has the last word as far as its
 * words are listed, and no further:
 * - a pending or arrived state, or replies: it was accepted;
 * - a state of a message that was not delivered: it was accepted too, unless it was refused in words;
 * - REJECTED: it was not sent (gateway-api.md, "Callbacks"). It leaves again where an absent one would leave in another
 *   part or try; otherwise it is refused;
 * - a state that isn't listed: it is there, so it never leaves again, and stays what it is called;
 * - absent: answered twice, 2 s apart, in the same way as ids that nobody has sent, the second time after `settlesMs`.
 */
const TABLE = {
  /** With a key, any run may have sent it. What isn't told doesn't leave. */
  key: { otherwise: 'notSent', settlesMs: 0, ifAbsent: 'leaves', firstLookMs: 0, mayBeOlder: true },

  /** n8n repeats a saved execution: another repetition may have sent it, which is saved nowhere. */
  repeated: { otherwise: 'unknown', settlesMs: 0, ifAbsent: 'leaves', firstLookMs: 0, mayBeOlder: true },

  /** An earlier try of this execution was told that it is refused. It stays so unless the gateway doesn't have it. */
  refusedBefore: {
    otherwise: 'refused',
    isRefusal: true,
    settlesMs: 0,
    ifAbsent: 'leaves',
    firstLookMs: 0,
    mayBeOlder: true,
  },

  /** An earlier try sent it, and proved that it was not taken then. */
  notSentBefore: { otherwise: 'notSent', settlesMs: 0, ifAbsent: 'leaves', firstLookMs: 0 },

  /** Refused by a result of its own, or in a request that held it alone: the request may have come twice. */
  refused: {
    otherwise: 'refused',
    isRefusal: true,
    settlesMs: LAG_MS,
    ifAbsent: 'refused',
    firstLookMs: LAG_MS,
    isAskedOnce: true,
    mayBeOlder: true,
  },

  /** The same in words of a fault, which may have come after the gateway took it. */
  fault: { otherwise: 'unknown', settlesMs: 0, ifAbsent: 'refused', firstLookMs: 0, mayBeOlder: true },

  /** Refused as a duplicate of a row that this execution may have sent, so that the gateway has it; unless `status` lacks it. */
  duplicate: {
    otherwise: 'unknown',
    settlesMs: LAG_MS,
    ifAbsent: 'refused',
    firstLookMs: 0,
    mayBeOlder: true,
  },

  /** A request of several was refused in words, or all its results alike: one row may be the reason. */
  refusedTogether: {
    otherwise: 'refused',
    isRefusal: true,
    settlesMs: 0,
    ifAbsent: 'splits',
    firstLookMs: 0,
    mayBeOlder: true,
  },

  /** The same in words of a fault, or in words that ask to wait. */
  faultTogether: { otherwise: 'unknown', settlesMs: 0, ifAbsent: 'splits', firstLookMs: 0, mayBeOlder: true },

  /**
   * 301, 307, 308, 401, 403, 404, 405, 407, 413, 415 or 429 without words: somebody on the way refuses, perhaps after
   * the work.
   */
  turnedAway: { otherwise: 'unknown', settlesMs: 0, ifAbsent: 'splits', firstLookMs: 0, mayBeOlder: true },

  /** The exchange broke: a gateway may be at work on the request for half a minute. */
  lost: { otherwise: 'unknown', settlesMs: SETTLING_MS, ifAbsent: 'resends', firstLookMs: FIRST_LOOK_MS },

  /** No answer in time, so that the gateway may take it at any time: it never leaves again. */
  late: { otherwise: 'unknown', settlesMs: SETTLING_MS, ifAbsent: 'unknown', firstLookMs: FIRST_LOOK_MS },

  /** The queue refused its request in words: it may be in the queue all the same, and `status` doesn't know it yet. */
  refusedByQueue: {
    otherwise: 'unknown',
    isRefusal: true,
    settlesMs: SETTLING_MS,
    ifAbsent: 'unknown',
    firstLookMs: FIRST_LOOK_MS,
  },

  /** The exchange with the queue broke, or it refused the request in words of a fault. */
  queue: { otherwise: 'unknown', settlesMs: SETTLING_MS, ifAbsent: 'unknown', firstLookMs: FIRST_LOOK_MS },

  /** The same codes without words in front of the queue: what words call too large may be queued, whatever their code. */
  turnedAwayByQueue: {
    otherwise: 'unknown',
    settlesMs: SETTLING_MS,
    ifAbsent: 'splits',
    firstLookMs: FIRST_LOOK_MS,
  },
} as const satisfies Record<string, Rule>;

export type Cause = keyof typeof TABLE;

export const RULES: Readonly<Record<Cause, Rule>> = TABLE;
