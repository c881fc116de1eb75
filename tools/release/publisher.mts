import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../paths.mts';

/**
 * What only the publisher can fill in, all in package.json: the codex, the documentation link of the credential and the
 * release follow from there. LICENSE names the copyright holder. CONTRIBUTING.md lists it for people.
 */
const PLACEHOLDERS: Array<{ file: string; text: RegExp; instead: string }> = [
  {
    file: 'package.json',
    text: /"email": "[^"]*\.example"/,
    instead: "The field author.email is a placeholder: enter the publisher's address, the same as on npm.",
  },
  {
    file: 'package.json',
    text: /"name": "n8n-nodes-messaging-gateway maintainers"/,
    instead: "The field author.name is a placeholder: enter the publisher's name.",
  },
  {
    file: 'package.json',
    text: /github\.com\/n8n-nodes-messaging-gateway\//,
    instead:
      'The fields homepage, bugs and repository name no real repository: enter the one that publishes.',
  },
  {
    file: 'LICENSE',
    text: /Copyright .*n8n-nodes-messaging-gateway maintainers/,
    instead: 'LICENSE names a placeholder as the copyright holder: enter the publisher.',
  },
  {
    file: 'credentials/MessagingGatewayApi.credentials.ts',
    text: /github\.com\/n8n-nodes-messaging-gateway\//,
    instead: "documentationUrl of the credential names no real repository: enter the publisher's.",
  },
];

/** What the publisher has yet to fill in, as sentences; takes how a file is read. */
export async function findPlaceholders(
  read = async (file: string) => await readFile(join(ROOT, file), 'utf8'),
): Promise<string[]> {
  const found = await Promise.all(
    PLACEHOLDERS.map(async ({ file, text, instead }) => (text.test(await read(file)) ? [instead] : [])),
  );
  return found.flat();
}
