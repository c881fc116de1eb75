import { createRunExecutionData, NodeOperationError } from 'n8n-workflow';
import type { IExecuteData, INode } from 'n8n-workflow';

import { isWhole } from '../../../tools/n8n-host/execution.mts';

const NODE: INode = { id: '1', name: 'Send', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} };
const STACK: IExecuteData[] = [{ node: NODE, data: { main: [] }, source: null }];

const ended = createRunExecutionData();
const atWork = { executionData: { nodeExecutionStack: STACK } };
const started = createRunExecutionData(atWork);
const asleep = createRunExecutionData({ ...atWork, waitTill: new Date() });
const failed = createRunExecutionData({
  ...atWork,
  resultData: { error: new NodeOperationError(NODE, 'No') },
});

it.each([
  ['success', ended, true],
  ['success', started, false],
  ['success', asleep, false],
  ['success', { resultData: ended.resultData }, false],
  ['success', undefined, false],
  ['waiting', asleep, true],
  ['waiting', started, false],
  ['error', failed, true],
  ['error', started, false],
  ['running', started, true],
  ['running', undefined, false],
])('is whole with the data of its status: %s, %#', (status, data, expected) => {
  expect(isWhole({ status, data })).toBe(expected);
});
