import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { OperationDescription } from './description';
import type { ItemResult } from './item-result';
import type { Run } from './run';

/**
 * An operation of the node. To add an operation, export its definition from a file in `operations/` and list it in
 * `operations/index.ts`.
 */
export interface OperationDefinition extends OperationDescription {
  /**
   * Runs the operation over all items of the run. Returns one result for each input item, in order.
   * @throws NodeOperationError or NodeApiError for what concerns the run as a whole
   */
  run(run: Run): Promise<ItemResult[]>;

  /** Answers calls to the execution while it sleeps. Undefined where the operation never sleeps. */
  whileWaiting?(context: IWebhookFunctions): Promise<IWebhookResponseData>;
}
