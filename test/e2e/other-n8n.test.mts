/** What can be known here of an n8n that doesn't install from npm: one that runs elsewhere, and n8n 3. */
import { networkInterfaces } from 'node:os';

import { runCommand } from '../../tools/run-command.mts';
import { readExamples } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { OWNER } from '../support/real-n8n.mts';

const host = e2eHost();

describe('npm run versions -- --url', () => {
  const run = async (password: string) => {
    const elsewhere = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    const options = ['--sandbox-host', elsewhere?.address ?? 'localhost', '--only', "Agent's tool"];
    return await runCommand('node', ['tools/versions.mts', '--url', `${host.url}/`, ...options], {
      env: { N8N_EMAIL: OWNER.email, N8N_PASSWORD: password },
    });
  };

  it('runs the checks on an n8n that runs already, and leaves nothing in it', async () => {
    const { code, output } = await run(OWNER.password);
    expect(output).toMatch(/^Tests: .*\b1 passed/m);
    expect(code).toBe(0);
    const credentials = await host.client.call<Array<{ name: string }>>('GET', '/credentials');
    expect(credentials.map(({ name }) => name)).not.toContain('Gateway of given');
  });

  it('says what n8n says of a wrong login', async () => {
    const { code, output } = await run('Wrong-passw0rd');
    expect(output).toContain('POST /login answered 401');
    expect(code).toBe(1);
  });
});

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
