import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';

const ROOT = join(import.meta.dirname, '..', '..');

function built(path: string): string {
  const file = join(ROOT, 'dist', path);
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  return file;
}

function load<T>(path: string, name: string): T {
  const file = built(path);
  // The built files are CommonJS, as n8n loads them.
  const exported = require(file) as Record<string, new () => T>;
  return new exported[name]();
}

/** The action node as it is shipped in `dist`. */
export const actionNode = (): INodeType =>
  load('nodes/MessagingGateway/MessagingGateway.node.js', 'MessagingGateway');

/** The trigger node as it is shipped in `dist`. */
export const triggerNode = (): INodeType =>
  load('nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node.js', 'MessagingGatewayTrigger');

/** The credential as it is shipped in `dist`. */
export const credentialType = (): ICredentialType =>
  load('credentials/MessagingGatewayApi.credentials.js', 'MessagingGatewayApi');

/** The descriptions that n8n serves to the editor, with icons and search terms. */
export const servedTypes = (): INodeTypeDescription[] =>
  JSON.parse(readFileSync(built('types/nodes.json'), 'utf8')) as INodeTypeDescription[];
