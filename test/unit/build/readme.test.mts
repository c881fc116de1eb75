import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';

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

  it.each(OPERATIONS.map(({ resource, name }) => [resource, name]))('names the operation %s: %s', (_, name) => {
    expect(readme).toContain(name);
  });

  it('names every example', () => {
    const examples = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.json'));
    expect(examples.filter((file) => !readme.includes(file))).toEqual([]);
  });

  it('is finished', () => {
    expect(readme).not.toContain('<!--');
  });
});
