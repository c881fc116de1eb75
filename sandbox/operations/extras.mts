import { undeclaredInside, undeclaredNames } from '../checks.mts';
import type { JsonObject } from '../types.mts';
import { OTHER_SHAPES, REQUIRED_BY_VIBER_TYPE, SEND_SHAPES, VIBER_CONTENT, VIBER_TYPES } from './fields.mts';
import { pipelineExtras } from './pipeline.mts';

const DECLARED = new Map(
  Object.entries({ ...SEND_SHAPES, ...OTHER_SHAPES }).map(([type, shape]) => [
    type,
    new Set(Object.keys(shape.fields)),
  ]),
);

/** Whether the contract declares a property for an operation type. */
export function isDeclared(type: string, name: string): boolean {
  return DECLARED.get(type)?.has(name) ?? false;
}

/**
 * Properties of an operation beyond the contract: accepted by the gateway, worth asserting on in tests.
 * `undeclared`: the contract does not have them for this type. `unused`: it has, but the chosen `viber_type` or
 * `pipeline` gives them no meaning.
 */
export function extrasOf(operation: JsonObject): { undeclared: string[]; unused: string[] } {
  const type = operation.type;
  if (type === 'pipeline') return pipelineExtras(operation);
  const declared = typeof type === 'string' ? DECLARED.get(type) : undefined;
  if (!declared) return { undeclared: [], unused: [] };
  const undeclared = undeclaredInside(operation, undeclaredNames(operation, declared));
  const unused: string[] = [];
  if (declared.has('viber_type')) {
    const viberType = operation.viber_type;
    const known = VIBER_TYPES.find((type) => type === viberType);
    const wanted = known ? REQUIRED_BY_VIBER_TYPE[known] : VIBER_CONTENT;
    for (const name of VIBER_CONTENT) {
      if (operation[name] !== undefined && declared.has(name) && !wanted.includes(name)) unused.push(name);
    }
  }
  return { undeclared, unused };
}

/** Names of undeclared properties alone. */
export function extraNames(operation: JsonObject): string[] {
  return extrasOf(operation).undeclared;
}
