import type { OperationDefinition } from './run/definition';

/**
 * Returns the expression of the line below the node on the canvas: what the chosen operation does, in the words of the
 * node panel.
 */
export function subtitleOf(definitions: readonly OperationDefinition[]): string {
  const isShared = ({ operation }: OperationDefinition): boolean =>
    definitions.filter((other) => other.operation === operation).length > 1;
  const actions = definitions.map((definition) => {
    const { resource, operation, action } = definition;
    return [isShared(definition) ? `${resource}.${operation}` : operation, action] as const;
  });
  const table = JSON.stringify(Object.fromEntries(actions));
  return `={{ ((actions) => actions[$parameter["operation"]] || actions[$parameter["resource"] + "." + $parameter["operation"]])(${table}) }}`;
}
