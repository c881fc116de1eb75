import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';
import type { DirectRead } from './direct-read';
import { ASK_ENGINE, compileDirectRead, hasExpression } from './direct-read';

/** Reads the parameters of items; returns `fallback` for a parameter that is not set. */
export interface ItemReader {
  read(name: string, itemIndex: number, fallback: unknown): unknown;
}

/** How a parameter is read: by the engine, unless it may be read directly; `isProven` once the two gave the same. */
interface Source {
  direct?: DirectRead;
  isProven: boolean;
}

const NOT_SET = {};

/**
 * Reads parameters as `getNodeParameter` does, but asks n8n's expression engine only where an expression does
 * more than take values from the item (see direct-read.ts), and once for each parameter, since it refuses some
 * expressions: only what it evaluates in the same way is read directly. Each parameter is compiled once for all items.
 * The items share the values of nested parameters without expressions: these must not be changed.
 *
 * `read` throws ExpressionError, or any other error of the engine, for an expression that the engine refuses; the
 * context of the error names the parameter.
 */
export function createItemReader(context: IExecuteFunctions): ItemReader {
  const items = context.getInputData();
  // An agent's values are filled in by expressions that only the engine knows.
  const allByEngine = isToolRun(context);
  const sources = new Map<string, Source | undefined>();

  const find = (name: string): Source | undefined => {
    const raw: unknown = context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
    if (raw === NOT_SET) return undefined;
    return { direct: allByEngine ? undefined : compileDirectRead(raw), isProven: !hasExpression(raw) };
  };

  return {
    read(name, itemIndex, fallback) {
      if (!sources.has(name)) sources.set(name, find(name));
      const source = sources.get(name);
      if (source === undefined) return fallback;
      const value = source.direct ? source.direct(items[itemIndex]?.json) : ASK_ENGINE;
      if (source.isProven && value !== ASK_ENGINE) return value;
      const evaluated = askEngine(context, name, itemIndex, fallback);
      if (value !== ASK_ENGINE) {
        source.isProven = JSON.stringify(value) === JSON.stringify(evaluated);
        if (!source.isProven) source.direct = undefined;
      }
      return evaluated;
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
