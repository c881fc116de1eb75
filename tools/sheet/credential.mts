/** What the dialog of the credential says of what a user fills in, and of what is at the addresses. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultPlan } from '../../sandbox/server.mts';
import type { SheetCase, SheetCases } from './case.mts';

/** The dialog with what differs from the sandbox's credential, and what goes wrong at the sandbox. */
const dialog = (credential: IDataObject = {}, fault?: FaultPlan): SheetCase => ({
  form: {},
  shows: 'credential',
  credential,
  ...(fault && { faults: [fault] }),
});

/** What a user fills in who has only a key and an address. */
const ONLY_BASE = { asyncUrl: '', mcpUrl: '' };

/** Not for an empty address: n8n tests no credential that lacks a required field. */
const at = (baseUrl: string): SheetCase => dialog({ ...ONLY_BASE, baseUrl });
const answering = (fault: FaultPlan): SheetCase => dialog(ONLY_BASE, fault);

export const CREDENTIAL_CASES: SheetCases = {
  'Dialog: all is well': dialog(),
  'Dialog: a key and an address': dialog(ONLY_BASE),
  'Dialog: wrong key': dialog({ apiKey: 'another-key' }),
  'Dialog: a key with Bearer': dialog({ apiKey: 'Bearer {key}' }),
  'Dialog: a key in quotation marks': dialog({ apiKey: '"{key}"' }),
  'Dialog: empty key': dialog({ apiKey: '' }),
  'Dialog: an address without https': at('gateway.example.com'),
  'Dialog: nothing listens': at('http://127.0.0.1:9'),
  'Dialog: a host that does not exist': at('https://gateway.invalid'),
  'Dialog: https where http is spoken': at('https://127.0.0.1:{port}'),
  'Dialog: a wrong path': at('http://127.0.0.1:{port}/nothing'),
  'Dialog: a web page': answering({ kind: 'html-before' }),
  'Dialog: HTTP 404': answering({ kind: 'status-before', status: 404 }),
  'Dialog: a redirect': answering({ kind: 'status-before', status: 301 }),
  'Dialog: HTTP 502': answering({ kind: 'status-before', status: 502 }),
  'Dialog: no answer': answering({ kind: 'hang-before' }),
  'Dialog: Async URL, nothing listens': dialog({ asyncUrl: 'http://127.0.0.1:9' }),
  'Dialog: Async URL, a web page': dialog({}, { kind: 'html-before', endpoint: 'async' }),
  'Dialog: connector, nothing listens': dialog({ mcpUrl: 'http://127.0.0.1:9' }),
  'Dialog: connector, a wrong path': dialog({ mcpUrl: 'http://127.0.0.1:{port}/nothing' }),
  'Dialog: prefixes that are none': dialog({ allowedPrefixes: 'Ukraine' }),
};
