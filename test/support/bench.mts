import type { Sandbox } from '../../sandbox/server.mts';
import type { CredentialReference, N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** The means of a check. The sandbox is empty and without faults when a check begins. */
export interface Bench {
  n8n: { url: string };
  client: N8nClient;
  sandbox: Sandbox;
  credential: CredentialReference;
}
