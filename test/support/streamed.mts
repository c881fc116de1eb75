/** An answer as n8n's request helper gives it to the node: with its body as a stream. */
export const streamed = <A extends { body?: unknown }>(answer: A) => ({
  ...answer,
  body: [Buffer.from(String(answer.body))],
});
