import type { IDataObject } from 'n8n-workflow';

import { NOT_FOR_AGENTS, property } from '../fields/property';
import { NO_COLUMNS } from './row-json';
import type { Run } from './run';

export const INCLUDE_INPUT_FIELDS = property(
  'Include Input Fields',
  'includeInputFields',
  'Whether the output has the columns of each row in front of the fields of the node, which replace columns of the same name',
  // One answer for all rows, which their results can't fail to have after the rows were sent.
  { type: 'boolean', default: true, noDataExpression: true, ...NOT_FOR_AGENTS },
);

/** Returns the columns of a row as they stand in front: `id` is the message's, so a column of this name has no value until the node has one. */
export const shownColumns = (json: IDataObject): IDataObject => ('id' in json ? { ...json, id: null } : json);

/** Fields by which an execution that wakes tells the messages that it waits for: a column of an earlier send would pass for one of its own. */
const OF_WAITS = ['msg_id', 'request_id', 'final', 'outcome', 'reason'];

/**
 * Returns what gives the columns of a row that stand in front of what the node says of it; none without the option. Takes whether
 * the execution is about to sleep.
 */
export function ownColumns({ form, items }: Run, isAsleep: boolean): (index: number) => IDataObject {
  const { name } = INCLUDE_INPUT_FIELDS;
  if (!form.hasOption(name)) return () => NO_COLUMNS;
  return (index) => {
    if (form.options(index)[name] === false) return NO_COLUMNS;
    const columns = shownColumns(items[index].json);
    if (!isAsleep) return columns;
    return Object.fromEntries(Object.entries(columns).filter(([column]) => !OF_WAITS.includes(column)));
  };
}
