/** Operations that the gateway refused, and why, for the activity list of the phone page. */
import type { ItemResult, JsonObject, Origin } from './types.mts';

export interface Refusal {
  /** Counts from 1 and never starts again. */
  seq: number;
  at: number;
  /** `type`, `id` and `phone` as they came, whatever they are, as texts. */
  type: string;
  id: string;
  phone: string;
  error: string;
  /** `seq` of the request, and the position in its `data`; undefined for the connector. */
  request?: number;
  index?: number;
  requestId?: string;
}

/** Refusals that are kept; a bulk run may make millions. */
const MOST = 500;

export class Refusals {
  /** The latest, oldest first. */
  readonly list: Refusal[] = [];

  private readonly onChange: (refusal: Refusal) => void;

  private seq = 0;

  constructor(onChange: (refusal: Refusal) => void) {
    this.onChange = onChange;
  }

  /** Keeps an operation that was refused. */
  add(operation: JsonObject, { error = '' }: ItemResult, { request, index, requestId }: Origin): void {
    this.seq += 1;
    const [type, id, phone] = [operation.type, operation.id, operation.phone].map(brief);
    const refusal = { seq: this.seq, at: Date.now(), type, id, phone, error, request, index, requestId };
    this.list.push(refusal);
    // Taken off in blocks, since the front of a list is expensive to move.
    if (this.list.length > 2 * MOST) this.list.splice(0, this.list.length - MOST);
    this.onChange(refusal);
  }

  /** Forgets them. */
  clear(): void {
    this.list.length = 0;
  }
}

/** Any value as a text that fits on a line. */
function brief(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 100);
}
