/** What a kind of fault does with the batch of the request that it strikes. */
interface Kind {
  /** Whether the batch is taken before the answer. */
  takes: boolean;
  /** Whether the batch can be taken late instead (`commitDelay`). */
  late: boolean;
}

const before: Kind = { takes: false, late: true };
const after: Kind = { takes: true, late: true };

/** Their answers hold the results of a batch, so there is no answer without it. */
const fromResults: Kind = { takes: true, late: false };

/** Somebody in front of the gateway refuses what never gets to it. */
const inFront: Kind = { takes: false, late: false };

export const KINDS = {
  'drop-before': before,
  'drop-after': after,
  'status-before': before,
  'status-after': after,
  'html-before': before,
  'html-after': after,
  'garbage-before': before,
  'garbage-after': after,
  'empty-after': after,
  truncated: after,
  'short-data': fromResults,
  'long-data': fromResults,
  reordered: fromResults,
  'foreign-ids': fromResults,
  slow: after,
  'hang-before': before,
  'hang-after': after,
  'rate-limit': inFront,
  'too-large': inFront,
  'refuse-large': inFront,
  refuse: before,
  'refuse-after': after,
  'refuse-items': before,
  acknowledged: after,
  repeated: fromResults,
  huge: before,
  endless: before,
  'endless-events': before,
} as const satisfies Record<string, Kind>;

/** `-before`: nothing of the request was taken. `-after`: all of it was, only the answer is bad. */
export type FaultKind = keyof typeof KINDS;

export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];

/** Kinds without their ending: how the answer looks. */
export type FaultAnswer = FaultKind extends infer K
  ? K extends `${infer Answer}-${'before' | 'after'}`
    ? Answer
    : K
  : never;

export function answerOf(kind: FaultKind): FaultAnswer {
  return kind.replace(/-(before|after)$/, '') as FaultAnswer;
}
