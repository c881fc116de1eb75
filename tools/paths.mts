import { homedir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Everything that tools and tests write. In `node_modules`, which linters and git leave alone. */
export const TMP = join(ROOT, 'node_modules', '.tmp');

export const PACKAGE_NAME = 'n8n-nodes-messaging-gateway';

/** The Node 24 that the dependencies bring along and n8n needs. */
export const NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The folder that all checkouts of this machine share: the oldest n8n, and its compiled code. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), PACKAGE_NAME);
