import { parse } from 'flatted';
import type { INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

/** An execution as n8n's REST interface gives it. */
export interface RawExecution {
  id: string;
  workflowId: string;
  status: string;
  mode: string;

  /** When it ended, or fell asleep, as an ISO date. */
  stoppedAt: string;

  /** Text in the `flatted` format, which can hold cycles. */
  data: string;
}

/** An execution with its run data. */
export interface Execution extends Omit<RawExecution, 'data'> {
  data: IRunExecutionData;

  /** Runs of a node, the first one first; empty when it did not run. */
  runs(node: string): ITaskData[];

  /** Items that the last run of a node put out; with "On Error: error output", output 1 is the error branch. */
  items(node: string, output?: number): INodeExecutionData[];

  /** The same, their json only. */
  json(node: string, output?: number): Array<Record<string, unknown>>;

  /** The error that stopped the execution, in the words that the editor shows; empty when nothing did. */
  failure(): string;
}

/** Decodes an execution and gives it the questions that are asked of one. */
export function decodeExecution({ data, ...rest }: RawExecution): Execution {
  const run = parse(data) as IRunExecutionData;
  const runs = (node: string) => run.resultData.runData[node] ?? [];
  const items = (node: string, output = 0) => runs(node).at(-1)?.data?.main[output] ?? [];
  return {
    ...rest,
    data: run,
    runs,
    items,
    json: (node, output) => items(node, output).map((item) => item.json),
    failure() {
      const { error } = run.resultData;
      if (!error) return '';
      const description = 'description' in error ? error.description : undefined;
      return [error.message, description].filter(Boolean).join(' | ');
    },
  };
}

/**
 * Whether the data of an execution is that of its status. n8n 1 and 2.0 save the status first and the data a moment
 * later, so that an execution that has just ended can still have the data of its start, or of the answer that woke it.
 */
export function isWhole({ status, data }: { status: string; data?: Partial<IRunExecutionData> }): boolean {
  if (data?.resultData === undefined) return false;
  switch (status) {
    case 'success':
      return data.waitTill === undefined && data.executionData?.nodeExecutionStack.length === 0;
    case 'waiting':
      return data.waitTill !== undefined;
    case 'error':
      return data.resultData.error !== undefined;
    default:
      return true;
  }
}
