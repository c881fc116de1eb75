import type { GeneratedFile } from '../generated-file.mts';
import { jsonFile } from '../generated-file.mts';
import { definitions } from './definitions.mts';
import type { ContractSource, Schema } from './definitions.mts';

const TITLE = 'JSON API of a multi-channel messaging gateway';
const VERSION = '1.0.0';
const DESCRIPTION =
  'What x-open marks is left open by the contract. Objects may have more properties than are listed. Requests are made from the checks of n8n-nodes-messaging-gateway, which also refuse what the contract does not rule out, such as empty texts.';

const content = (name: string): Schema => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const body = (name: string): Schema => ({ required: true, content: content(name) });
const answers = (description: string, name: string): Schema => ({
  200: { description, content: content(name) },
});
const server = (name: string, description: string): Schema => ({
  url: `{${name}}`,
  description,
  variables: { [name]: { default: 'https://gateway.example', description } },
});

/** The callback as an address of the client, to which the gateway posts. */
const received: Schema = {
  post: {
    operationId: 'receiveStatus',
    summary: 'The status of a message, to the address in its hook',
    'x-open':
      'Whether the gateway tries again where nobody answers, and whether callbacks are signed, is not shown; they come without authentication.',
    requestBody: body('callback'),
    responses: { 200: { description: 'Taken' } },
  },
};

/** `docs/contract.schema.json` and `docs/openapi.json`: the contract for programs, made from the schemas of the code. */
export function contractFiles(source: ContractSource): GeneratedFile[] {
  const all = definitions(source);
  const schemas = JSON.parse(JSON.stringify(all).replaceAll('"#/$defs/', '"#/components/schemas/')) as Record<
    string,
    Schema
  >;
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: TITLE,
    description: `${DESCRIPTION} Each object is under $defs; the whole file describes a request.`,
    $ref: '#/$defs/request',
    $defs: all,
  };
  return [jsonFile('docs/contract.schema.json', schema), jsonFile('docs/openapi.json', openApi(schemas))];
}

const openApi = (schemas: Record<string, Schema>): Schema => ({
  openapi: '3.1.0',
  info: { title: TITLE, version: VERSION, description: DESCRIPTION },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  servers: [server('base_url', 'Address of the synchronous API')],
  paths: {
    '/api/json.php': {
      post: {
        operationId: 'execute',
        summary: 'Carries out operations and answers with their results',
        description:
          'HTTP status 200 in all cases: what counts is success in the body, then that of each result.',
        requestBody: body('request'),
        responses: answers('Results, or a refusal', 'answer'),
        callbacks: { status: { '{$request.body#/data/0/hook}': received } },
      },
    },
    '/v1/json': {
      servers: [server('async_url', 'Address of the asynchronous API')],
      post: {
        operationId: 'enqueue',
        summary: 'Takes operations into a queue',
        requestBody: body('request'),
        responses: answers('A receipt, or a refusal', 'queueAnswer'),
        callbacks: { status: { '{$request.body#/data/0/hook}': received } },
      },
    },
    '/mcp': {
      servers: [server('mcp_url', 'Address of the assistant connector')],
      post: {
        operationId: 'callTool',
        summary: 'Calls a tool of the assistant connector (JSON-RPC 2.0 over streamable HTTP)',
        security: [{ connectorKey: [] }],
        requestBody: body('toolCall'),
        responses: answers('The result of the tool', 'toolAnswer'),
      },
    },
    '/health': {
      servers: [server('mcp_url', 'Address of the assistant connector')],
      get: {
        operationId: 'readHealth',
        summary: 'Whether the connector works, and whether it may send',
        'x-open': 'The contract says "request without body" and names no method.',
        responses: answers('Its state', 'health'),
      },
    },
  },
  webhooks: { status: received },
  components: {
    schemas,
    securitySchemes: {
      connectorKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'The API key; the other endpoints take it in the body.',
      },
    },
  },
});
