import type { IExecuteFunctions } from 'n8n-workflow';

import type { DirectRead } from './direct-read';
import { ASK_ENGINE, compileDirectRead } from './direct-read';

/** Reads the parameters of items; `fallback` is for a parameter that is not set. */
export interface ItemReader {
  read(name: string, itemIndex: number, fallback: unknown): unknown;
}

/** How a parameter is read: the same way for all items of a run. */
type Source = 'not set' | 'engine' | DirectRead;

const NOT_SET = {};

/**
 * Reads parameters as `getNodeParameter` does, but asks n8n's expression engine only where an expression does
 * more than take values from the item (see direct-read.ts). Each parameter is looked at once for all items.
 * The values of nested parameters without expressions are shared by the items: they must not be changed.
 *
 * @throws ExpressionError, or what else the engine throws, from `read`, where it refuses an expression; the context
 *   of the error names the parameter
 */
export function createItemReader(context: IExecuteFunctions): ItemReader {
  const items = context.getInputData();
  // An agent fills in parameters by expressions of its own.
  const allByEngine = context.isToolExecution();
  const sources = new Map<string, Source>();

  const find = (name: string): Source => {
    const raw: unknown = context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
    if (raw === NOT_SET) return 'not set';
    return (allByEngine ? undefined : compileDirectRead(raw)) ?? 'engine';
  };

  return {
    read(name, itemIndex, fallback) {
      let source = sources.get(name);
      if (source === undefined) sources.set(name, (source = find(name)));
      if (source === 'not set') return fallback;
      const value = source === 'engine' ? ASK_ENGINE : source(items[itemIndex]?.json);
      return value === ASK_ENGINE ? askEngine(context, name, itemIndex, fallback) : value;
    },
  };
}

function askEngine(context: IExecuteFunctions, name: string, itemIndex: number, fallback: unknown): unknown {
  try {
    return context.getNodeParameter(name, itemIndex, fallback);
  } catch (problem) {
    const error = naming(problem, name);
    throw error;
  }
}

/** An error of the engine with the parameter in its context, where n8n has put it only if there was a context. */
function naming(problem: unknown, parameter: string): unknown {
  const bare = problem instanceof Error && !('context' in problem);
  return bare ? Object.assign(problem, { context: { parameter } }) : problem;
}
