/** What those who draw the answers of the model of the gateway see of it. */
import type { FullResponse, RequestRecord, Work } from './exchange.mts';
import type { Entry } from './ledger.mts';
import type { World } from './outcome.mts';
import type { Random } from './random.mts';
import type { GatewayTraits, Scenario } from './scenario.mts';

export interface GatewayView extends Pick<World<Scenario>, 'clock' | 'random' | 'time'> {
  readonly traits: GatewayTraits;

  /** Draws what was drawn for other questions than when an exchange breaks. */
  readonly manners: Random;
  readonly requests: readonly RequestRecord[];

  /** Requests to send since the last one that went wrong. */
  sinceFault: number;

  /** What `status` knows of an id by now. */
  known(id: number | string): Entry | undefined;

  /** The answer to a request that it worked on. */
  answer(work: Work, request: RequestRecord): FullResponse;
}
