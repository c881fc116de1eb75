/** Every error that the node can show, on contact sheets. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import { selfSignedCertificate } from '../../test/support/certificate.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../test/support/real-n8n.mts';
import { startWebServer } from '../../test/support/web-server.mts';
import { ROOT, TMP } from '../paths.mts';
import type { Addresses, ErrorCase } from './error-cases.mts';
import { connectionCases, fieldCases, httpCases, refusalCases } from './error-cases.mts';
import type { Photograph } from './error-sheets.mts';
import { bringAbout, photograph, writeSheet } from './error-sheets.mts';
import { boxAround, openPage, openStudio } from './studio.mts';
import type { Studio } from './studio.mts';

const TRUSTED = join(TMP, 'pictures-authorities.pem');
const NAME_SERVER = join(ROOT, 'tools', 'pictures', 'name-server.cjs');

export interface ErrorPictures {
  tarball: string;
  /** Those in the panel of the node, which take some minutes. */
  nodes: boolean;
  /** Those in the dialog of the credential. */
  credentials: boolean;
}

/** Writes a sheet for each part of docs/when-something-fails.md. */
export async function takeErrorPictures({ tarball, nodes, credentials }: ErrorPictures): Promise<void> {
  const expired = selfSignedCertificate('localhost', { expired: true });
  const otherName = selfSignedCertificate('other.example', { withAddress: false });
  await writeFile(TRUSTED, expired.cert + otherName.cert);
  const studio = await openStudio({
    tarball,
    env: {
      NODE_EXTRA_CA_CERTS: TRUSTED,
      NODE_OPTIONS: `--require "${NAME_SERVER}"`,
      // What lets n8n itself refuse an address.
      N8N_SSRF_PROTECTION_ENABLED: 'true',
      N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128',
    },
  });
  const [plain, ...secure] = await Promise.all([
    startSandbox(),
    ...[selfSignedCertificate(), expired, otherName].map(async (tls) => await startSandbox({ tls })),
  ]);
  const [untrusted, ofExpired, ofOtherName] = secure.map(({ baseUrl }) => baseUrl);
  const addresses = { untrusted, expired: ofExpired, otherName: ofOtherName, plain: plain.baseUrl };
  try {
    if (nodes) await takeSheets(studio, addresses);
    if (credentials) {
      await writeSheet(studio, 'errors-credential', await photographCredentials(studio, addresses));
    }
  } finally {
    await studio.close();
    await Promise.all([plain, ...secure].map(async (sandbox) => await sandbox.close()));
  }
}

async function takeSheets(studio: Studio, addresses: Addresses): Promise<void> {
  const sheets: Record<string, ErrorCase[]> = {
    'errors-gateway': refusalCases(),
    'errors-http': httpCases(),
    'errors-connection': connectionCases(addresses),
    'errors-fields': fieldCases(),
  };
  const happened = await bringAbout(studio, Object.values(sheets).flat());
  let done = 0;
  for (const [name, cases] of Object.entries(sheets)) {
    const photographs = await photograph(studio, happened.slice(done, done + cases.length));
    await writeSheet(studio, name, photographs);
    done += cases.length;
  }
}

async function photographCredentials(studio: Studio, { untrusted, plain }: Addresses): Promise<Photograph[]> {
  const site = await startWebServer((response) =>
    response.setHeader('content-type', 'text/html').end('<html>Hi</html>'),
  );
  const cases: Array<[id: string, change: IDataObject]> = [
    ['a wrong key', { apiKey: 'not-the-key' }],
    ['no https://', { baseUrl: 'api.example.com' }],
    ['no server at the port', { baseUrl: 'http://127.0.0.1:9' }],
    ['a name that does not exist', { baseUrl: 'http://enotfound.invalid' }],
    ['a web site', { baseUrl: site.url }],
    ['a certificate of an unknown authority', { baseUrl: untrusted }],
    ['https:// to a port without it', { baseUrl: plain.replace('http:', 'https:') }],
    ['no server at the async URL', { asyncUrl: 'http://127.0.0.1:9' }],
    ['no server at the connector URL', { mcpUrl: 'http://127.0.0.1:9' }],
  ];
  const page = await openPage(studio, 1440, 1000);
  const photographs: Photograph[] = [];
  for (const [cause, change] of cases) {
    const data = { ...credentialData(studio.sandbox), ...change };
    const { id } = await studio.client.createCredential(cause, CREDENTIAL_TYPE, data);
    await page.goto(`${studio.n8n.url}/home/credentials/${id}`);
    const more = page.getByText('More details', { exact: true });
    try {
      await more.waitFor();
      // The banner is what has a border around it.
      const banner = await boxAround(more, 'borderTopWidth', 1);
      await more.click();
      const picture = await banner.screenshot();
      photographs.push({ id: 'credential', cause, picture });
    } catch (error) {
      console.error(`The credential with ${cause} has no error to show: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  await page.context().close();
  await site.close();
  return photographs;
}
