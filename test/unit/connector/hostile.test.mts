import { explainConnector } from '../../../nodes/gateway/connector/explain.ts';
import { readToolResult } from '../../../nodes/gateway/connector/tools.ts';

it.each(['x', ' ', '\n', '"', '[1],'])('a long text of %j is shortened where it is explained', (piece) => {
  for (const code of [-32602, -32601, -32000]) {
    const message = piece.repeat(100_000);
    const explained = explainConnector({ kind: 'rpc', code, message, status: 200 });
    expect(explained.message.length + explained.description.length).toBeLessThan(2000);
  }
});

it('lists inside lists beyond any depth are words of the tool, and no exception', () => {
  const depth = 200_000;
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const outcome = readToolResult({ content: [{ type: 'text', text: nested }], isError: true });
  expect(outcome).toEqual({ kind: 'failed', text: nested, isRefusal: false });
});
