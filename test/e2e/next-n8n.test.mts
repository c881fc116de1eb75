/** What can be known here of n8n 3, which doesn't install from npm. */
import { readExamples } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { rows, workflow } from '../support/real-n8n.mts';

const host = e2eHost();

it("n8n's own report of what version 3 changes finds nothing in the examples", async () => {
  const ids: string[] = [];
  for (const example of Object.values(await readExamples())) {
    ids.push((await host.client.createWorkflow(example)).id);
  }
  // A workflow with a setting that version 3 removes: a report that misses this one proves nothing of the others.
  const removed = workflow([rows('Rows', [{}])]);
  const control = await host.client.createWorkflow({
    ...removed,
    settings: { ...removed.settings, callerPolicy: 'any' },
  } as never);
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
      return rule.affectedWorkflows.map(({ id }) => ({ ruleId, id }));
    }),
  );
  const affected = found.flat();
  expect(affected).toContainEqual({ ruleId: 'caller-policy-any-removed-v3', id: control.id });
  expect(affected.filter(({ id }) => ids.includes(id))).toEqual([]);
});
