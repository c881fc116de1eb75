import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { N8nRefusal } from '../../tools/n8n-host/rest-client.mts';
import { until } from '../../tools/until.mts';

/** The result of publishing a workflow, which n8n does in the background. */
export interface Publication {
  status: 'published' | 'partial' | 'failed' | 'not_published';
  triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/**
 * Waits until n8n has registered the triggers of a workflow that was published, and has given up on those that it
 * can't register. An older n8n, which publishes before it answers, has no status of it.
 * @throws Error when n8n is still at it after a minute
 */
export async function untilPublished(client: N8nClient, workflowId: string): Promise<Publication> {
  return await until(`the workflow ${workflowId} to be published`, async () => {
    const { status, ...rest } = await client
      .call<
        Omit<Publication, 'status'> & { status: string }
      >('GET', `/workflows/${workflowId}/publication-status`)
      .catch((error: unknown) => {
        if (error instanceof N8nRefusal && error.status === 404) return { status: 'published', triggers: [] };
        throw error;
      });
    return status === 'in_progress' ? undefined : { status: status as Publication['status'], ...rest };
  });
}
