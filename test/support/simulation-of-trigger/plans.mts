/** What happens to a message in a simulation of a trigger, and what strangers do with it. */
export type Outcome = 'delivered' | 'read' | 'replied' | 'failed' | 'pending';

export type Identifier = 'id' | 'msg_id' | 'request_id';

/** What the gateway reports of a message, once. */
export interface EventPlan {
  message: number;
  /** As in the callback; undefined where it names none. */
  status: string | undefined;
  success: boolean;
  /** The channel that reports. */
  type: string | undefined;
  /** What identifies the message in the callback; a `request_id` alone, or with `id`, where it was refused. */
  ids: readonly Identifier[];
  /** Texts. */
  replies: string[];
  /** What it means by the contract. */
  outcome: Outcome;
  /** Milliseconds after the start. */
  at: number;
}

/**
 * - `list`: more messages than a stranger may have asked about.
 * - `hundred`, `singles`: as many as that, about messages that nobody sent, in one call or one by one.
 * - `status`: a real message, and a status that it hasn't.
 * - `fields`: what is true, and fields beside it that aren't.
 */
export interface StrangerPlan {
  at: number;
  kind: 'list' | 'hundred' | 'singles' | 'status' | 'fields';
  /** How often, all at the same time. */
  calls: number;
  /** The real event, where the kind needs one. */
  event: EventPlan;
  /** The channel that the call names. */
  type: string | undefined;
}
