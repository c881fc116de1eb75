import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PIPELINE_CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import { codexes } from '../../../tools/build/codex.mts';
import type { PackageFacts } from '../../../tools/build/codex.mts';

const facts = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
) as PackageFacts;

describe.each([
  ['MessagingGateway', 'messagingGateway', ['otp', '2fa', 'hlr', 'text message', 'voice call', 'approval']],
  ['MessagingGatewayTrigger', 'messagingGatewayTrigger', ['delivery', 'callback', 'dlr', 'webhook', 'reply']],
])('the codex of %s', (className, nodeName, words) => {
  const { path, text } = codexes(facts).find((file) => file.path.includes(`/${className}/`))!;
  const content = JSON.parse(text) as {
    node: string;
    alias: string[];
    categories: string[];
    resources: Record<string, Array<{ url: string }>>;
  };

  it('stands beside the node and names it as n8n does', () => {
    expect(path).toBe(`nodes/${className}/${className}.node.json`);
    expect(content.node).toBe(`n8n-nodes-messaging-gateway.${nodeName}`);
    expect(content.categories.filter((category) => category !== 'HITL')).toEqual(['Communication']);
  });

  it('lists the node that asks people where the editor lists such nodes', () => {
    const { subcategories } = content as { subcategories?: unknown };
    const asksPeople = className === 'MessagingGateway';
    expect(content.categories.includes('HITL')).toBe(asksPeople);
    expect(subcategories).toEqual(asksPeople ? { HITL: ['Human in the Loop'] } : undefined);
  });

  it('is found by each channel and by what people use it for', () => {
    const aliases = content.alias.map((alias) => alias.toLowerCase());
    const found = (word: string) => aliases.some((alias) => alias.includes(word));
    for (const word of [...PIPELINE_CHANNELS, ...words]) {
      expect({ word, found: found(word) }).toEqual({ word, found: true });
    }
    expect(new Set(aliases).size).toBe(aliases.length);
  });

  it('links to the documentation', () => {
    for (const links of Object.values(content.resources)) {
      for (const { url } of links) expect(url.startsWith(facts.homepage.replace(/#.*/, ''))).toBe(true);
    }
    expect(Object.keys(content.resources)).toEqual(['credentialDocumentation', 'primaryDocumentation']);
  });
});
