import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import {
  findPlaceholders,
  nextVersion,
  problemsOf,
  unreleased,
  withRelease,
} from '../../../tools/release/rules.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it('the version of a release is the next one, or a later one that is named', () => {
  const versions = ['patch', 'minor', 'major', '1.10.0'].map((wanted) => nextVersion('1.2.3', wanted));
  expect(versions).toEqual(['1.2.4', '1.3.0', '2.0.0', '1.10.0']);
  for (const wanted of [undefined, '', 'next', '1.2', 'v1.2.4', '1.2.3', '1.2.2', '0.9.9', 'toString']) {
    expect(() => nextVersion('1.2.3', wanted)).toThrow(RangeError);
  }
});

it('the first release is the version that package.json has', () => {
  expect(nextVersion('0.1.0', '0.1.0', false)).toBe('0.1.0');
  expect(nextVersion('0.1.0', 'minor', false)).toBe('0.2.0');
});

describe('the changelog', () => {
  const written = '# Changelog\n\nIntro.\n\n## Unreleased\n\n- B\n- C\n\n## 0.1.1 (2026-01-01)\n\n- A\n';

  it('gives what users will notice the version and the date', () => {
    expect(unreleased(written)).toBe('- B\n- C');
    const released = withRelease(written, '0.2.0', '2026-01-31');
    expect(released).toBe(written.replace('Unreleased', '0.2.0 (2026-01-31)'));
    expect(unreleased('# Changelog\n\n## Unreleased\n\nText.\n\n### More\n\n- D\n')).toBe(
      'Text.\n\n### More\n\n- D',
    );
  });

  it.each([
    '# Changelog\n',
    '# Changelog\n\n## Unreleased\n\n## 0.1.1 (2026-01-01)\n\n- A\n',
    '# Changelog\n\n## Unreleased\n',
  ])('has nothing to release in %j', (changelog) => {
    expect(unreleased(changelog)).toBeUndefined();
    expect(() => withRelease(changelog, '0.2.0', '2026-01-31')).toThrow(RangeError);
  });

  it('of this package has what its next release or its last one brings', () => {
    const own = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(own).toMatch(/^## (Unreleased|\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\))$/m);
  });
});

describe("the publisher's placeholders", () => {
  const read = async (file: string) => await Promise.resolve(readFileSync(join(ROOT, file), 'utf8'));
  const filledIn = async (file: string) =>
    (await read(file))
      .replaceAll('github.com/n8n-nodes-messaging-gateway/', 'github.com/publisher/')
      .replaceAll('n8n-nodes-messaging-gateway maintainers', 'Publisher')
      .replaceAll('named with the first release', 'Example')
      .replaceAll(/"email": "[^"]*"/g, '"email": "node@publisher.com"');

  it('are named one by one, and none is left once all are filled in', async () => {
    expect(await findPlaceholders(filledIn)).toEqual([]);
    const licence = 'MIT License\n\nCopyright (c) n8n-nodes-messaging-gateway maintainers\n';
    const one = async (file: string) => (file === 'LICENSE' ? licence : await filledIn(file));
    expect(await findPlaceholders(one)).toEqual([
      expect.stringMatching(/^LICENSE has a placeholder.* maintainers$/),
    ]);
  });

  it('follow from package.json where they can', () => {
    const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { homepage: string };
    const { documentationUrl } = new MessagingGatewayApi();
    expect(documentationUrl?.startsWith(homepage.replace(/#.*/, ''))).toBe(true);
  });
});

it('the package holds nothing that is not meant to be published', () => {
  const files = [
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'dist/nodes/A/A.node.js',
    'dist/types/nodes.json',
  ];
  expect(problemsOf({ files, bytes: 1000 })).toEqual([]);
  const foreign = [
    '.env',
    'dist/nodes/A/a.test.ts',
    'dist/tools/x.js',
    'test/a.js',
    'dist/nodes/A/photo.png',
  ];
  const problems = problemsOf({ files: [...files, ...foreign], bytes: 1_000_000 });
  expect(problems).toEqual([
    ...foreign.map((file) => expect.stringContaining(file)),
    expect.stringContaining('budget'),
  ]);
});
