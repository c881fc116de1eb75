import type { INodeProperties } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { actionNode, triggerNode } from '../support/node-types.mts';

/** What every editor session downloads of a node, in bytes, without its codex: n8n's Telegram node has 63,028 with it. */
const BUDGET: Record<string, number> = { messagingGateway: 79_000, messagingGatewayTrigger: 8000 };

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

type Show = Record<string, unknown[]>;
/** The properties that a list shows for an operation, as the operation itself states them. */
const shownBy = (properties: INodeProperties[], resource: string, operation: string): INodeProperties[] =>
  properties.flatMap((property) => {
    if (property.name === 'operation') return [];
    if (property.name !== 'options') return shownIn(property, resource, operation, '');
    const options = property.options as INodeProperties[];
    return [{ ...property, options: options.flatMap((option) => shownIn(option, resource, operation, '/')) }];
  });

/** The property without the condition for its operation; nothing where it is for others. */
function shownIn(
  { displayOptions, ...property }: INodeProperties,
  resource: string,
  operation: string,
  root: string,
): INodeProperties[] {
  const { show = {}, hide = {} } = (displayOptions ?? {}) as { show?: Show; hide?: Show };
  const { [`${root}resource`]: resources, [`${root}operation`]: operations = [operation], ...own } = show;
  const { [`${root}operation`]: hidden = [], ...ownHide } = hide;
  if (!resources?.includes(resource) || !operations.includes(operation) || hidden.includes(operation))
    return [];
  const conditions = {
    ...(Object.keys(own).length > 0 && { show: own }),
    ...(Object.keys(ownHide).length > 0 && { hide: ownHide }),
  };
  const isConditioned = Object.keys(conditions).length > 0;
  return [{ ...property, ...(isConditioned && { displayOptions: conditions }) } as INodeProperties];
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('properties that operations share', () => {
  const { properties } = actionNode().description;

  it.each(OPERATIONS)('$resource / $operation shows exactly its own, in its order', (one) => {
    expect(plain(shownBy(properties, one.resource, one.operation))).toEqual(plain(one.properties));
  });

  it('keeps what an editor downloads within its budget', () => {
    const types = [actionNode().description, triggerNode().description];
    const sizes = types.map((type) => [type.name, bytes(type)] as const);
    expect(sizes.map(([name]) => name)).toEqual(Object.keys(BUDGET));
    for (const [name, size] of sizes) expect(size).toBeLessThan(BUDGET[name]);
  });
});
