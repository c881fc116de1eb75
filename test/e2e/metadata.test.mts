import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { actionNode, credentialType, triggerNode } from '../support/node-types.mts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = <T,>(path: string) => JSON.parse(readFileSync(join(ROOT, 'dist', path), 'utf8')) as T;
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

/** What n8n's loader puts in place of, or adds to, what a class says. */
const ADDED = ['icon', 'iconUrl', 'codex', 'communityNodePackageVersion'];
const without = (description: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(description).filter(([name]) => !ADDED.includes(name)));

/** The files that n8n reads at its start in place of the code. */
describe('what n8n reads at its start', () => {
  const types = read<INodeTypeDescription[]>('types/nodes.json');

  it.each([actionNode().description, triggerNode().description])(
    'says of $name what its class says, with icons and codex',
    (description) => {
      const found = types.filter((type) => type.name === description.name);
      expect(found).toHaveLength(1);
      expect(without(plain(found[0]))).toEqual(without(plain(description)));
      expect(found[0].iconUrl).toMatchObject({ light: expect.stringMatching(/^icons\//) });
      expect(found[0].codex?.alias).toContain('SMS');
      // Nothing was ever published that another version would have to go on for.
      expect(found[0].version).toEqual(expect.any(Number));
    },
  );

  it('says of the credential what its class says, and who uses it', () => {
    const [found] = read<Array<Record<string, unknown>>>('types/credentials.json');
    expect(found.properties).toEqual(plain(credentialType().properties));
    expect(found.supportedNodes).toEqual(['messagingGateway', 'messagingGatewayTrigger']);
  });
});
