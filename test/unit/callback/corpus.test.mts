/** Callbacks as the world writes them: what starts a workflow, and what is refused. */
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { meaningOf } from '../../../nodes/gateway/delivery/reports.ts';
import type { Report } from '../../../nodes/gateway/delivery/reports.ts';
import { CALLBACKS } from '../../corpus/callbacks.mts';
import { titled } from '../../corpus/case.mts';

const withMeaning = (callback: Report) => ({ ...callback, ...meaningOf(callback) });

it.each(titled(CALLBACKS))(
  'a callback of the corpus is read, or refused with the reason: %s',
  (_, { input, right }) => {
    if (right instanceof RegExp) expect(() => parseCallback(input)).toThrow(right);
    else expect(parseCallback(input).callbacks.map(withMeaning)).toMatchObject(right);
  },
);
