import type { IDataObject } from 'n8n-workflow';

import type { WorkflowReference } from './rest-client.mts';
import type { WorkflowJson } from './workflow.mts';

/** What n8n's REST interface wants, where its versions differ. */
export interface RestDialect {
  /** Fields of a new workflow in addition to its own. */
  newWorkflow: IDataObject;
  /** Whether a credential can be tested before it is saved. */
  testsUnsaved: boolean;
  /** Method, path and body of the call that activates a workflow. */
  activation(workflow: WorkflowReference): [method: string, path: string, body: IDataObject];
  /** Body of a manual run. Takes the workflow as it was saved, its id included. */
  manualRun(workflow: WorkflowJson & { id: string }, trigger: string): IDataObject;
}

/** The dialect of a version such as 2.41.1; of the newest version where none is given. */
export function dialectOf(version = '2.41'): RestDialect {
  const [major, minor] = version.split('.').map(Number);
  const isFrom = (wantedMajor: number, wantedMinor: number) =>
    major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return {
    newWorkflow: isFrom(2, 20) ? {} : { active: false },
    testsUnsaved: isFrom(2, 41),
    activation: ({ id, versionId }) =>
      isFrom(2, 0)
        ? ['POST', `/workflows/${id}/activate`, { versionId }]
        : ['PATCH', `/workflows/${id}`, { active: true, versionId }],
    manualRun: (workflow, trigger) => ({
      ...(!isFrom(2, 20) && { workflowData: workflow as unknown as IDataObject }),
      triggerToStartFrom: { name: trigger },
    }),
  };
}
