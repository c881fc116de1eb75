import type {
  FieldType,
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { explainConnector } from '../../gateway/connector/explain';
import type { Tool } from '../../gateway/connector/tools';
import {
  alternativesOf,
  argumentSchemas,
  CONFIRM,
  hasOtherArguments,
  inputSchemaOf,
} from '../../gateway/connector/tools';
import { isObject } from '../../gateway/text/json';
import { offeredTools, openConnector, SWITCH_ON } from '../assistant/connector';
import { LABELS } from '../assistant/properties';
import { asLocated } from '../fields/values';
import { FORM_TIMEOUT_MS, matching } from './list-search';

/**
 * Returns tools for the "From list" of the resource locator; sending tools only where the connector may send.
 * @throws NodeOperationError where the connector can't be reached or refuses
 */
export async function searchTools(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const { tools, why } = await toolsFor(this);
  const { results } = matching(tools.map(listEntry), filter);
  // The last entry says why tools are missing; without a value, it can't be called.
  return { results: why === undefined ? results : [...results, { name: why, value: '' }] };
}

/**
 * Returns the arguments of the chosen tool as form fields, without the confirmation, which is a switch of the node.
 * @throws NodeOperationError where the connector doesn't offer the tool, can't be reached or refuses
 */
export async function getToolArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const name = asLocated(this.getNodeParameter('tool', ''), LABELS.tool);
  if (name === undefined) return { fields: [] };
  const { tools, why } = await toolsFor(this);
  const tool = tools.find((candidate) => candidate.name === name);
  // The editor shows a notice until another takes its place.
  if (tool)
    return { fields: fieldsOf(tool), emptyFieldsNotice: hasOtherArguments(tool) ? NOT_SHOWN : NO_ARGUMENTS };
  throw new NodeOperationError(this.getNode(), `The assistant connector offers no tool "${name}"`, {
    description: why === undefined ? "Choose another tool in 'Tool'." : `${why}. ${SWITCH_ON}`,
  });
}

const NO_ARGUMENTS = 'This tool takes no arguments';
const NOT_SHOWN =
  "The arguments of this tool can't be shown as fields. Set 'Specify Arguments' to Using JSON; the operation List Tools shows them.";

async function toolsFor(context: ILoadOptionsFunctions): Promise<{ tools: Tool[]; why?: string }> {
  const offered = await offeredTools(await openConnector(context, FORM_TIMEOUT_MS));
  if (offered.ok) return offered.value;
  const { message, description } = explainConnector(offered.problem);
  throw new NodeOperationError(context.getNode(), message, { description });
}

function listEntry({ name, title, description }: Tool): INodeListSearchItems {
  const entryName = title === undefined || title === name ? name : `${title} (${name})`;
  return { name: entryName, value: name, description };
}

/** Arguments of a tool that the form shows: n8n's editor can hardly show more, and the contract's tools have a few. */
const MAX_ARGUMENTS = 200;

/** Returns the form fields of a tool's arguments. */
export function fieldsOf(tool: Tool): ResourceMapperField[] {
  const { required } = inputSchemaOf(tool);
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(argumentSchemas(tool))
    .slice(0, MAX_ARGUMENTS)
    .filter(([name]) => name !== CONFIRM)
    .map(([name, schema]): ResourceMapperField => {
      const options = choices(schema.enum ?? constantsOf(schema));
      return {
        id: name,
        displayName: typeof schema.title === 'string' ? schema.title : name,
        defaultMatch: false,
        required: needed.has(name),
        display: true,
        type: options ? 'options' : fieldType(schema),
        options,
      };
    });
}

/** Returns the values of a schema whose alternatives have one value each; undefined for any other schema. */
function constantsOf(schema: Record<string, unknown>): unknown[] | undefined {
  const all = alternativesOf(schema);
  const values = all.flatMap((one) => (isObject(one) && 'const' in one ? [one.const] : []));
  return values.length > 0 && values.length === all.length ? values : undefined;
}

/** Returns the values of an `enum` as choices, without the `null` of an optional argument. */
function choices(values: unknown): INodePropertyOptions[] | undefined {
  const own: unknown[] | undefined = Array.isArray(values)
    ? values.filter((value) => value !== null)
    : undefined;
  return own?.every((value) => typeof value === 'string' || typeof value === 'number')
    ? own.map((value) => ({ name: String(value), value }))
    : undefined;
}

/** The types that n8n names as JSON Schema does. */
const TYPES: FieldType[] = ['number', 'boolean', 'array', 'object'];

function fieldType({ type, format }: Record<string, unknown>): FieldType {
  const [first] = (Array.isArray(type) ? type : [type]).filter((candidate) => candidate !== 'null');
  if (first === 'string' && format === 'date-time') return 'dateTime';
  return first === 'integer' ? 'number' : (TYPES.find((known) => known === first) ?? 'string');
}
