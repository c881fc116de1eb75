import type { IDataObject } from 'n8n-workflow';

import type { WorkflowReference } from './rest-client.mts';
import type { WorkflowJson } from './workflow.mts';

/** A call of n8n's REST interface. */
export interface RestCall {
  method: string;
  path: string;
  body: IDataObject;
}

/** What n8n's REST interface wants, where its versions differ. */
export interface RestDialect {
  /** Fields of a new workflow in addition to its own. */
  newWorkflow: IDataObject;
  /** Whether a credential can be tested before it is saved. */
  testsUnsaved: boolean;
  activation(workflow: WorkflowReference): RestCall;
  /** Body of a manual run. Takes the workflow as it was saved, its id included. */
  manualRun(workflow: WorkflowJson & { id: string }, trigger: string): IDataObject;
}

const activate = ({ id, versionId }: WorkflowReference): RestCall => ({
  method: 'POST',
  path: `/workflows/${id}/activate`,
  body: { versionId },
});

const runSaved: RestDialect['manualRun'] = (_, trigger) => ({ triggerToStartFrom: { name: trigger } });

const runGiven: RestDialect['manualRun'] = (workflow, trigger) => ({
  workflowData: workflow as unknown as IDataObject,
  triggerToStartFrom: { name: trigger },
});

/** The differences by version, newest first: a dialect holds from its version on. */
const DIALECTS: Array<{ from: [major: number, minor: number] } & RestDialect> = [
  {
    from: [2, 41],
    newWorkflow: {},
    testsUnsaved: true,
    activation: activate,
    manualRun: runSaved,
  },
  {
    from: [2, 20],
    newWorkflow: {},
    testsUnsaved: false,
    activation: activate,
    manualRun: runSaved,
  },
  {
    from: [2, 0],
    newWorkflow: { active: false },
    testsUnsaved: false,
    activation: activate,
    manualRun: runGiven,
  },
  {
    from: [1, 123],
    newWorkflow: { active: false },
    testsUnsaved: false,
    activation: ({ id, versionId }) => ({
      method: 'PATCH',
      path: `/workflows/${id}`,
      body: { active: true, versionId },
    }),
    manualRun: runGiven,
  },
];

/**
 * The dialect of a version such as 2.41.1; of the newest version where none is given.
 * @throws RangeError for a version before the first one that is known
 */
export function dialectOf(version?: string): RestDialect {
  if (version === undefined) return DIALECTS[0];
  const [major, minor] = version.split('.').map(Number);
  const found = DIALECTS.find(({ from }) => major > from[0] || (major === from[0] && minor >= from[1]));
  if (found) return found;
  throw new RangeError(`n8n ${version} is older than any version that the tools know`);
}
