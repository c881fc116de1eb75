/** What happened since the start, in figures, and how to forget it. */
import type { ApiParts } from './api.mts';

export interface SandboxCounts {
  /** Requests received on all endpoints but the control API and the phone page. */
  requests: number;
  /** Messages accepted, doubled ones included. */
  accepted: number;
  /** Different client identifiers among them. */
  distinctIds: number;
  /** Client identifiers accepted more than once. */
  doubledIds: number;
  /** Batches received whose fault has them taken later, and that are not taken yet. */
  lateBatches: number;
  /** Callbacks that are neither acknowledged nor given up. */
  callbacksPending: number;
}

/** Figures of what happened so far. */
export function countsOf({ gateway, requests }: ApiParts): SandboxCounts {
  const { messages } = gateway.kept;
  return {
    requests: requests.total,
    accepted: messages.accepted,
    distinctIds: messages.distinct,
    doubledIds: messages.doubled().length,
    lateBatches: gateway.planned.late.size,
    callbacksPending: gateway.delivery.callbacks.pending,
  };
}

/** Forgets requests, messages, templates, callbacks and faults; settings and accounts stay. */
export function resetAll({ gateway, requests, faults }: ApiParts): void {
  gateway.reset();
  requests.clear();
  faults.clear();
  gateway.events.emit('reset');
}
