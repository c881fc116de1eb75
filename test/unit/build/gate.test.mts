/** Text from outside comes in at a few places alone, each of which bounds it (nodes/gateway/text/gate.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..', 'nodes');

/** The functions by which n8n gives a node what strangers, users and servers wrote, and the files that may call each. */
const SOURCES: Record<string, string[]> = {
  getNodeParameter: [
    'MessagingGateway/parameters/compile.ts',
    'MessagingGateway/run/form.ts',
    // Which operation runs, out of a fixed list.
    'MessagingGateway/router.ts',
    // The editor's form, filled in by the author of the workflow.
    'MessagingGateway/methods/connector-tools.ts',
    'MessagingGatewayTrigger/settings.ts',
  ],
  // The node's own expressions about its execution and its trigger; those of a person are read for the form.
  evaluateExpression: [
    'MessagingGateway/parameters/compile.ts',
    'MessagingGateway/message-parts/own-trigger.ts',
    'MessagingGateway/suspend/sleep.ts',
    'n8n/undocumented.ts',
  ],
  getCurrentNodeParameter: ['MessagingGateway/methods/list-search.ts'],
  getBodyData: ['n8n/incoming-call.ts'],
  // The query of an address, which HTTP bounds: its secrets are compared, and its seals opened.
  getQueryData: [
    'MessagingGateway/approval/answer.ts',
    'MessagingGatewayTrigger/address-facts.ts',
    'MessagingGatewayTrigger/receive.ts',
  ],
  getHeaderData: [],
  getParamsData: [],
  // The address and the method of a caller, and the body before `getBodyData` has it.
  getRequestObject: [
    'MessagingGateway/approval/answer.ts',
    'MessagingGateway/delivery-wait/wait-for-delivery.ts',
    'MessagingGatewayTrigger/receive.ts',
    'n8n/incoming-call.ts',
  ],
  // The items as they came: their fields pass through, are counted or digested, and get to a reader by a parameter alone.
  getInputData: [
    'MessagingGateway/parameters/compile.ts',
    'MessagingGateway/router.ts',
    'MessagingGateway/run/journal.ts',
    'MessagingGateway/run/output.ts',
    'MessagingGateway/run/run.ts',
    'n8n/undocumented.ts',
  ],
  getExecuteData: ['MessagingGateway/approval/review.ts', 'n8n/undocumented.ts'],
  getInputConnectionData: [],
  'helpers.httpRequest': ['MessagingGateway/suspend/self-call.ts'],
  'helpers.httpRequestWithAuthentication': ['n8n/connection.ts'],
  'helpers.request': ['n8n/connection.ts'],
  // Names of the node's own making.
  'helpers.checkProcessedAndRecord': ['n8n/recorded-names.ts'],
  'helpers.removeProcessed': ['n8n/recorded-names.ts'],
};

/** Compiled parameters are what the form reads, and nobody else. */
const COMPILED = ['MessagingGateway/run/form.ts', 'MessagingGateway/parameters/compile.ts'];

/** Returns what a node takes from an object by its name: `context.name`, `context['name']`, or `{ name }`. */
function takenBy(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return ts.isBindingElement(node) ? (node.propertyName ?? node.name).getText() : undefined;
}

/** Whether a node takes something from n8n's helpers, each of which has its row. */
function isOfHelpers(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return /\bhelpers$/.test(node.expression.getText());
  return ts.isBindingElement(node) && /\bhelpers\b/.test(node.parent.parent.getText().split('=')[1] ?? '');
}

/** Returns the calls of a source that may not stand there. */
function ungated(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const taken = takenBy(node);
    if (taken !== undefined) {
      const name = isOfHelpers(node) ? `helpers.${taken}` : taken;
      const allowed = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
      if (allowed === undefined ? isOfHelpers(node) : !allowed.includes(file)) found.push(`${file}: ${name}`);
    }
    if (ts.isIdentifier(node) && node.text === 'compileParameter' && !COMPILED.includes(file))
      found.push(`${file}: compileParameter`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  return [...new Set(found)];
}

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

it('comes in at the gate alone', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => ungated(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it('is not let in where a new reader calls n8n by itself', () => {
  const reader = `
    export const read = (context: IExecuteFunctions) => String(context.getNodeParameter('text', 0)).match(/a*b/);
    export function readBody({ getBodyData }: IWebhookFunctions) { return getBodyData(); }
    export const readItem = (context: IExecuteFunctions) => context['getInputData']()[0].json.text;
    export async function ask({ helpers }: IExecuteFunctions) {
      const { httpRequest } = helpers;
      return [await httpRequest({ url: '' }), await helpers.getBinaryDataBuffer(0, 'data')];
    }`;
  expect(ungated('MessagingGateway/sending/new-reader.ts', reader)).toEqual([
    'MessagingGateway/sending/new-reader.ts: getNodeParameter',
    'MessagingGateway/sending/new-reader.ts: getBodyData',
    'MessagingGateway/sending/new-reader.ts: getInputData',
    'MessagingGateway/sending/new-reader.ts: helpers.httpRequest',
    'MessagingGateway/sending/new-reader.ts: helpers.getBinaryDataBuffer',
  ]);
});

it('lists no file that lets nothing in', () => {
  const idle = Object.entries(SOURCES).flatMap(([name, allowed]) =>
    allowed
      .filter((file) => !readFileSync(join(ROOT, file), 'utf8').includes(name))
      .map((file) => `${file}: ${name}`),
  );
  expect(idle).toEqual([]);
});
