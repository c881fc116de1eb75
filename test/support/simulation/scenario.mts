/** What a seed decides before anything happens: the workflow, the execution of it, and the nature of the gateway. */
/**
 * - `calm`: nothing fails.
 * - `gentle`: now and then one request to send fails; `status` answers. Everything has to be sent in the end.
 * - `rough`, `storm`: much fails, `status` too, and there are outages. The gateway keeps to the settling time.
 * - `unbounded`: like `rough`, but the gateway takes operations later than the settling time allows.
 */
export type Profile = 'calm' | 'gentle' | 'rough' | 'storm' | 'unbounded';

export type Cause = 'connection' | 'rateLimit' | 'lost' | 'late' | 'serverError' | 'refused';

/** A time during which every request fails in the same way. */
export interface Outage {
  /** Milliseconds since the start. */
  from: number;
  to: number;
  affects: 'send' | 'status' | 'all';
  cause: Cause;
}

export interface GatewayTraits {
  /** What becomes of an id that was taken before. */
  duplicates: 'taken' | 'refused' | 'refuseWhole';
  /** How answers are written. */
  style: 'plain' | 'nulls' | 'stringIds' | 'integers';
  /** Operations in one request that are too many, if there is a limit. */
  mostOperations?: number;
  tooLarge: 'http' | 'envelope' | 'badRequest';
  /** Whether one bad operation makes the gateway refuse the whole request. */
  refusesWhole: boolean;
  /** Milliseconds of work on a request, and on each operation. */
  work: [base: number, perOperation: number];
  /** Milliseconds, at most, before `status` knows what was taken. */
  mostLag: number;
  /** Share of requests to send that fail, and of questions to `status`. */
  faultRate: number;
  statusFaultRate: number;
  /** Requests to send after a fault that don't fail. */
  faultFreeAfter: number;
  /** How often a request that went wrong is taken later than at once. */
  lateRate: number;
  /** Whether everything is taken and known within the settling time, unless the client's time limit was over. */
  keepsSettlingTime: boolean;
  /** Milliseconds: the setting of the client. */
  settling: number;
  outages: Outage[];
}

export interface ItemPlan {
  /** Text of the message, which occurs in no other message. */
  text: string;
  phone: string;
  signature: string;
  messageId?: number;
  delivery: 'now' | 'queued';
}

export interface NodePlan {
  name: string;
  id: string;
  onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  retryOnFail: boolean;
  maxTries: number;
  waitBetweenTries: number;
  options: Record<string, unknown>;
}

export interface NodeRunPlan {
  node: NodePlan;
  runIndex: number;
  items: ItemPlan[];
}

export interface ExecutionPlan {
  id: string;
  runs: NodeRunPlan[];
  /** Milliseconds after the start at which a user stops the execution. */
  cancelAfter?: number;
  /** Milliseconds between this execution and the one before. */
  delay: number;
}

export interface Scenario {
  seed: number;
  profile: Profile;
  startsAt: number;
  gateway: GatewayTraits;
  executions: ExecutionPlan[];
}

/** A sender that the gateway refuses, and text that no journal may hold. */
export const BAD_SENDER = 'NotMine';
export const MARKER = 'text of message';
export const NOT_A_PHONE = 'nobody';

export const isInvalid = ({ phone }: ItemPlan): boolean => phone === NOT_A_PHONE;
export const isBad = ({ signature }: ItemPlan): boolean => signature === BAD_SENDER;

/** Whether everything that is sent to this gateway has to arrive: it fails seldom, and passes over what it fails. */
export const isGentle = ({ faultFreeAfter }: GatewayTraits): boolean => faultFreeAfter > 0;

/** The scenario in a few lines, for a person. */
export function describeScenario({ seed, profile, gateway, executions }: Scenario): string {
  const lines = executions.flatMap(({ id, runs, cancelAfter, delay }) => [
    `execution ${id}${delay > 0 ? `, ${delay} ms later` : ''}${cancelAfter === undefined ? '' : `, stopped after ${cancelAfter} ms`}`,
    ...runs.map(
      ({ node, runIndex, items }) => `  ${items.length} items, run ${runIndex} of ${JSON.stringify(node)}`,
    ),
  ]);
  return [`seed ${seed}: ${profile}`, `gateway ${JSON.stringify(gateway)}`, ...lines].join('\n');
}
