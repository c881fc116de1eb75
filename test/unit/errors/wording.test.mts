/** n8n's words for errors: they say what happened, not that something is an error. */
import ts from 'typescript';

import { textOf, visitCode } from '../../support/texts-in-code.mts';

/** Field names of the output, in quotes, words joined by hyphens, n8n's setting On Error, and why a message failed are left alone. */
const AVOIDED = /(?<![-"]|reason for a |'On |\(using )\b(errors?|problems?|failures?|mistakes?)\b(?!")/i;

/** Messages of the log are read by whoever runs n8n. */
const isOfLog = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && /\blogger\b/.test(parent.expression.getText());

it('has no errors, problems, failures and mistakes in texts that users read', () => {
  const sentences: Array<{ file: string; text: string }> = [];
  visitCode((node, file) => {
    const text = textOf(node);
    // Fewer words are names.
    if (text !== undefined && text.split(' ').length > 2 && !isOfLog(node)) sentences.push({ file, text });
  });
  expect(sentences.length).toBeGreaterThan(300);
  expect(sentences.filter(({ text }) => AVOIDED.test(text))).toEqual([]);
});
