import type { Sandbox } from '../../sandbox/server.mts';
import type { CredentialReference, N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** The n8n of a check, and its gateway: a sandbox that is empty and without faults when a check begins. */
export interface CheckHost {
  n8n: { url: string };
  client: N8nClient;
  sandbox: Sandbox;
  credential: CredentialReference;
}
