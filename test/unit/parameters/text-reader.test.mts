import type { IExecuteFunctions } from 'n8n-workflow';

import { TextReader } from '../../../nodes/MessagingGateway/parameters/text-reader.ts';

it('asks the engine for every item of a text that it evaluates in another way', () => {
  const items = ['Ann', 'Bo', 'Cy'].map((caller) => ({ json: { caller } }));
  const context = {
    getInputData: () => items,
    isToolExecution: () => false,
    getNodeParameter: () => '=Hello {{ $json.caller }}!',
    evaluateExpression: (expression: string, item: number) =>
      expression.replace(/\{\{.*\}\}/, `engine ${item}`),
  } as unknown as IExecuteFunctions;
  const reader = new TextReader(context, { read: () => 'whole' }, { refuse: false, found: new Set() });
  expect(items.map((_, item) => reader.read('smsMessage', item, ''))).toEqual([
    'Hello engine 0!',
    'Hello engine 1!',
    'Hello engine 2!',
  ]);
});
