/** The n8n and sandbox with which each file of the end-to-end tests begins, and of which it leaves nothing. */
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type {
  CredentialReference,
  WorkflowJson,
  WorkflowReference,
} from '../../tools/n8n-host/rest-client.mts';
import { readExamples, setUp } from '../../tools/n8n-host/workflow.mts';
import { untilPublished } from './publication.mts';
import type { Publication } from './publication.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n } from './real-n8n.mts';
import type { RealN8n } from './real-n8n.mts';

/** The n8n of the end-to-end tests, a sandbox of the file's own, and a credential for it. Filled in before the first test. */
export interface E2eHost extends RealN8n {
  sandbox: Sandbox;
  credential: CredentialReference;
  /** Begins with a gateway that has no messages, at an address of its own: n8n's process remembers messages of each address. */
  anew(): Promise<void>;
  /** An example of the repository, as its user would import it. */
  example(file: string): Promise<WorkflowJson>;
  /** Publishes a workflow until the file has ended; n8n has then registered its triggers, or given them up. */
  publish(
    workflow: WorkflowJson | WorkflowReference,
  ): Promise<WorkflowReference & { publication: Publication }>;
}

/** Starts a sandbox before the tests of a file, and ends it after them. */
export function e2eHost(options: SandboxOptions = {}): E2eHost {
  const published = new Set<string>();
  const host = {} as E2eHost;
  host.publish = async (workflow) => {
    const created = 'id' in workflow ? workflow : await host.client.createWorkflow(workflow);
    await host.client.activate(created);
    published.add(created.id);
    return { ...created, publication: await untilPublished(host.client, created.id) };
  };
  let accounts = 0;
  const account = async () => {
    const data = credentialData(host.sandbox);
    const baseUrl = `${host.sandbox.baseUrl}/?account=${(accounts += 1)}`;
    return await host.client.createCredential('Sandbox', CREDENTIAL_TYPE, { ...data, baseUrl });
  };
  host.anew = async () => {
    host.sandbox.reset();
    host.credential = await account();
  };
  host.example = async (file) => setUp((await readExamples())[file], CREDENTIAL_TYPE, host.credential);
  beforeAll(async () => {
    host.sandbox = await startSandbox(options);
    Object.assign(host, await realN8n());
    host.credential = await account();
  });
  afterAll(async () => {
    for (const id of published) await host.client.deactivate({ id });
    await host.sandbox?.close();
  });
  return host;
}
