import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import {
  changelogSection,
  findPlaceholders,
  nextVersion,
  problemsOf,
  withSection,
} from '../../../tools/release/rules.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it('the version of a release is the next one, or a later one that is named', () => {
  const versions = ['patch', 'minor', 'major', '1.10.0'].map((wanted) => nextVersion('1.2.3', wanted));
  expect(versions).toEqual(['1.2.4', '1.3.0', '2.0.0', '1.10.0']);
  for (const wanted of [undefined, '', 'next', '1.2', 'v1.2.4', '1.2.3', '1.2.2', '0.9.9', 'toString']) {
    expect(() => nextVersion('1.2.3', wanted)).toThrow(RangeError);
  }
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
  const files = ['package.json', 'README.md', 'LICENSE', 'dist/nodes/A/A.node.js', 'dist/types/nodes.json'];
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
