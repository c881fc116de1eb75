import type { IExecuteFunctions } from 'n8n-workflow';

/** Variables and settings of the instance. */
const VARIABLE = /^\$(?:vars|env)(?:\.[\w$]+|\[(["'])[\w -]+\1\])+$/;

/** A field of the first item of another node. */
const FIELD = /^\$\((["'])((?:(?!\1).)+)\1\)\.first\(\)\.json((?:\.[\w$]+|\[(["'])[\w -]+\4\])+)$/;

/** The code between the braces of a raw parameter; none for a fixed value. */
function expressionsIn(raw: unknown): string[] {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
  return raw
    .slice(1)
    .split(/\{\{|\}\}/)
    .filter((_, index) => index % 2 === 1)
    .map((code) => code.trim());
}

/**
 * Whether a raw value is the author's alone: fixed, or made of variables of the instance and of fields of nodes that pass
 * `isBeforeAgent`. All else could be filled in by an agent: `$json` holds its arguments, and n8n has several spellings for
 * values of its own.
 */
export const isOfAuthor = (raw: unknown, isBeforeAgent: (node: string) => boolean): boolean =>
  expressionsIn(raw).every((code) => {
    if (VARIABLE.test(code)) return true;
    const [, , node] = FIELD.exec(code) ?? [];
    return node !== undefined && isBeforeAgent(node);
  });

/** Whether a node runs before the agent, and not because of it. */
export function isBefore(context: IExecuteFunctions, node: string, agent: string): boolean {
  const named = (nodes: Array<{ name: string }>) => nodes.some(({ name }) => name === node);
  return named(context.getParentNodes(agent)) && !named(context.getChildNodes(agent)) && node !== agent;
}
