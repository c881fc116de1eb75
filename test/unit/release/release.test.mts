import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import { changelogSection, withSection } from '../../../tools/release/changelog.mts';
import { problemsOf } from '../../../tools/release/contents.mts';
import { nextVersion } from '../../../tools/release/next-version.mts';
import { findPlaceholders } from '../../../tools/release/publisher.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describe('the version of a release', () => {
  it.each([
    ['patch', '1.2.4'],
    ['minor', '1.3.0'],
    ['major', '2.0.0'],
    ['1.10.0', '1.10.0'],
  ])('after 1.2.3, %s is %s', (wanted, version) => expect(nextVersion('1.2.3', wanted)).toBe(version));

  it.each([undefined, '', 'next', '1.2', 'v1.2.4', '1.2.3', '1.2.2', '0.9.9', 'toString'])(
    'refuses %s',
    (wanted) => {
      expect(() => nextVersion('1.2.3', wanted)).toThrow(RangeError);
    },
  );
});

describe('the changelog', () => {
  const release = { version: '0.2.0', date: '2026-01-31' };

  it('lists what users may notice, oldest first', () => {
    const subjects = ['Name the sender', 'Test the sender', 'Bump jest', 'Send faster', 'Release 0.1.9'];
    expect(changelogSection({ ...release, subjects })).toBe(
      '## 0.2.0 (2026-01-31)\n\n- Send faster\n- Name the sender\n',
    );
  });

  it('says so where there is nothing', () => {
    expect(changelogSection({ ...release, subjects: ['Format the tests'] })).toContain(
      'No changes for users',
    );
  });

  it('puts the newest section first', () => {
    const first = withSection('# Changelog\n\nIntro.\n', '## 0.1.1 (a)\n\n- A\n');
    expect(withSection(first, '## 0.2.0 (b)\n\n- B\n')).toBe(
      '# Changelog\n\nIntro.\n\n## 0.2.0 (b)\n\n- B\n\n## 0.1.1 (a)\n\n- A\n',
    );
  });
});

describe("the publisher's placeholders", () => {
  const read = async (file: string) => await Promise.resolve(readFileSync(join(ROOT, file), 'utf8'));
  const filledIn = async (file: string) =>
    (await read(file))
      .replaceAll('github.com/n8n-nodes-messaging-gateway/', 'github.com/publisher/')
      .replaceAll('n8n-nodes-messaging-gateway maintainers', 'Publisher')
      .replaceAll(/"email": "[^"]*"/g, '"email": "node@publisher.com"');

  it('are named one by one, and none is left when all are filled in', async () => {
    expect(await findPlaceholders(filledIn)).toEqual([]);
    const one = async (file: string) => (file === 'LICENSE' ? await read(file) : await filledIn(file));
    for (const sentence of await findPlaceholders(one))
      expect(sentence).toMatch(/^LICENSE names a placeholder/);
  });

  it('follow from package.json where they can', () => {
    const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { homepage: string };
    const { documentationUrl } = new MessagingGatewayApi();
    expect(documentationUrl?.startsWith(homepage.replace(/#.*/, ''))).toBe(true);
  });
});

describe('the contents of the package', () => {
  const files = ['package.json', 'README.md', 'LICENSE', 'dist/nodes/A/A.node.js', 'dist/types/nodes.json'];

  it('are fine as they are meant', () => expect(problemsOf({ files, bytes: 1000 })).toEqual([]));

  it.each(['.env', 'dist/nodes/A/a.test.ts', 'dist/tools/x.js', 'test/a.js', 'dist/nodes/A/photo.png'])(
    'must not hold %s',
    (file) =>
      expect(problemsOf({ files: [...files, file], bytes: 1000 })).toEqual([expect.stringContaining(file)]),
  );
});
