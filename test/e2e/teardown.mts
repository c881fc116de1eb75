import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';

export default async function teardown(): Promise<void> {
  await (globalThis as { e2eHost?: N8nProcess }).e2eHost?.stop();
}
