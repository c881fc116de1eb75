import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import { CURRENT_LINE, LINES } from '../../../tools/n8n-host/installations.mts';
import { CHECKS } from '../../support/core-checks.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

describe('the README', () => {
  it('has a map whose places exist', () => {
    const places = [...readme.matchAll(/^\| `([\w/.-]+\/)` \|/gm)].map(([, place]) => place);
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([]);
  });

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, link)))).toEqual([]);
  });

  it.each(OPERATIONS.map(({ resource, name }) => [resource, name]))(
    'names the operation %s: %s',
    (_, name) => {
      expect(readme).toContain(name);
    },
  );

  it('names every example', () => {
    const examples = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.json'));
    expect(examples.filter((file) => !readme.includes(file))).toEqual([]);
  });

  it('says what works on which n8n, for every version and check of the layer', () => {
    const table = readme.split('\n').filter((line) => /^\| (n8n|\d+\.\d+\.\d+) \|/.test(line));
    const cells = table.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(cells[0]).toEqual(['n8n', ...CHECKS.map(({ title }) => title)]);
    const installed = LINES.map((line) => {
      const folder = line === CURRENT_LINE ? 'tools/n8n' : `tools/n8n-versions/${line}`;
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      return (manifest as { dependencies: { n8n: string } }).dependencies.n8n;
    });
    expect(cells.slice(1)).toEqual(installed.map((version) => [version, ...CHECKS.map(() => 'yes')]));
  });

  it('has the headings that the node and the credential lead to', () => {
    const places = ['credentials/MessagingGatewayApi.credentials.ts', 'tools/build/codex.mts'];
    const anchors = places.flatMap((place) =>
      [...readFileSync(join(ROOT, place), 'utf8').matchAll(/#([a-z-]+)['`]/g)].map(([, anchor]) => anchor),
    );
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.length).toBeGreaterThan(1);
    expect(anchors.filter((anchor) => anchor !== 'readme' && !headings.includes(anchor))).toEqual([]);
  });

  it('is finished', () => {
    expect(readme).not.toContain('<!--');
  });
});
