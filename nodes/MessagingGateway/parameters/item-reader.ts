import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';
import type { DirectRead } from './direct-read';
import { ASK_ENGINE, compileDirectRead } from './direct-read';

/** Reads the parameters of items; returns `fallback` for a parameter that is not set. */
export interface ItemReader {
  read(name: string, itemIndex: number, fallback: unknown): unknown;
}

/** How a parameter is read: the same way for all items of a run. */
type Source = 'not set' | 'engine' | DirectRead;

const NOT_SET = {};

/**
 * Reads parameters as `getNodeParameter` does, but asks n8n's expression engine only where an expression does
 * more than take values from the item (see direct-read.ts). Each parameter is compiled once for all items.
 * The items share the values of nested parameters without expressions: these must not be changed.
 *
 * `read` throws ExpressionError, or any other error of the engine, for an expression that the engine refuses; the
 * context of the error names the parameter.
 */
export function createItemReader(context: IExecuteFunctions): ItemReader {
  const items = context.getInputData();
  // An agent's values are filled in by expressions that only the engine knows.
  const allByEngine = isToolRun(context);
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
  } catch (thrown) {
    const error = naming(thrown, name);
    throw error;
  }
}

/** Adds the parameter to the context of an engine error that has none; n8n adds it only to an existing context. */
function naming(thrown: unknown, parameter: string): unknown {
  const bare = thrown instanceof Error && !('context' in thrown);
  return bare ? Object.assign(thrown, { context: { parameter } }) : thrown;
}
