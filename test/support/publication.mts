import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** What became of publishing a workflow, which n8n does in the background. */
export interface Publication {
  status: 'published' | 'partial' | 'failed' | 'not_published';
  triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/**
 * Waits until n8n has registered the triggers of a workflow that was published, and has given up on those that it
 * can't register.
 * @throws Error when n8n is still at it after 20 seconds
 */
export async function untilPublished(client: N8nClient, workflowId: string): Promise<Publication> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(100)) {
    const { status, ...rest } = await client.call<Omit<Publication, 'status'> & { status: string }>(
      'GET',
      `/workflows/${workflowId}/publication-status`,
    );
    if (status !== 'in_progress') return { status: status as Publication['status'], ...rest };
  }
  throw new Error(`n8n has not published the workflow ${workflowId}`);
}
