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
 * @throws ExpressionError from `read`, where the engine refuses an expression
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
      return value === ASK_ENGINE ? context.getNodeParameter(name, itemIndex, fallback) : value;
    },
  };
}
