/** What can be known here of n8n 3, which doesn't install from npm. */
import { readExamples } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';

const host = e2eHost();

it("n8n's own report of what version 3 changes finds nothing in the examples", async () => {
  const ids: string[] = [];
  for (const example of Object.values(await readExamples())) {
    ids.push((await host.client.createWorkflow(example)).id);
  }
  const path = '/breaking-changes/report';
  interface Report {
    report: { workflowResults: Array<{ ruleId: string }> };
  }
  const { report } = await host.client.call<Report>('POST', `${path}/refresh?version=v3`, {});
  const found = await Promise.all(
    report.workflowResults.map(async ({ ruleId }) => {
      const rule = await host.client.call<{ affectedWorkflows: Array<{ id: string }> }>(
        'GET',
        `${path}/${ruleId}`,
      );
      return [ruleId, rule.affectedWorkflows.filter(({ id }) => ids.includes(id))];
    }),
  );
  expect(found.filter(([, affected]) => affected.length > 0)).toEqual([]);
});
