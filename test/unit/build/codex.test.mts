/** The codex files, which stand beside the nodes: where n8n lists a node, by which words it is found, what it links to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PIPELINE_CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import { actionNode, triggerNode } from '../../support/node-types.mts';

interface Codex {
  node: string;
  nodeVersion: string;
  alias: string[];
  categories: string[];
  subcategories?: object;
  resources: Record<string, Array<{ url: string }>>;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = <T,>(path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
const { name: packageName, homepage } = read<{ name: string; homepage: string }>('package.json');

describe.each([
  {
    className: 'MessagingGateway',
    type: actionNode().description,
    words: ['otp', '2fa', 'verify phone', 'hlr', 'text message', 'voice call', 'approval', 'connector'],
    // Not in n8n's list of categories, but with it n8n's panel lists the node under "Human review" (verification.md).
    listed: { categories: ['Communication', 'HITL'], subcategories: { HITL: ['Human in the Loop'] } },
  },
  {
    className: 'MessagingGatewayTrigger',
    type: triggerNode().description,
    words: ['delivery', 'callback', 'dlr', 'webhook', 'reply'],
    listed: { categories: ['Communication'], subcategories: undefined },
  },
])('the codex of $className', ({ className, type, words, listed }) => {
  const { node, nodeVersion, alias, categories, subcategories, resources } = read<Codex>(
    `nodes/${className}/${className}.node.json`,
  );

  it('names the node, with its newest version, and lists it where people look for it', () => {
    expect(node).toBe(`${packageName}.${type.name}`);
    expect(nodeVersion).toBe(Math.max(...[type.version].flat()).toFixed(1));
    expect({ categories, subcategories }).toEqual(listed);
  });

  it('is found by each channel and by what people use it for', () => {
    const aliases = alias.map((one) => one.toLowerCase());
    const missing = [...PIPELINE_CHANNELS, ...words].filter(
      (word) => !aliases.some((one) => one.includes(word)),
    );
    expect(missing).toEqual([]);
    expect(new Set(aliases).size).toBe(aliases.length);
  });

  it('links to the documentation', () => {
    expect(Object.keys(resources)).toEqual(['credentialDocumentation', 'primaryDocumentation']);
    for (const { url } of Object.values(resources).flat()) {
      expect(url.startsWith(homepage.replace(/#.*/, ''))).toBe(true);
    }
  });
});
