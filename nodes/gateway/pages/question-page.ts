import type { AnswerField, FieldState, Submitted } from './answer-fields';
import { renderField } from './answer-fields';
import { markup } from './markup';
import { renderPage } from './layout';

/** A button that sends the form. */
export interface Choice {
  /** What the form sends. */
  value: string;
  label: string;
  style: 'primary' | 'secondary';
}

/** The words of the pages that are neither the question nor its labels, by name of their parameter. */
export const PAGE_TEXTS = {
  toolText: 'May an AI agent run this tool?',
  itemsText: 'This is about {count} items.',
  recordedText: 'Thank you. Your answer has been recorded.',
  takenText: 'This has already been answered from the number ending in {digits}.',
  expiredText: 'The time to answer has passed.',
  closedText: 'This request is no longer open.',
  wrongText: 'Please check this answer.',
  reopenText: 'The answer was not accepted. Please open the link in the message again.',
};
export type PageTexts = typeof PAGE_TEXTS;

/** A call of a tool on which a person decides; its texts are visible. */
export interface QuestionedCall {
  tool: string;
  /** Its arguments, in full. */
  args: string;
  /** What the tool gets besides, behind a plus; empty for nothing. */
  others: string;
}

/** What a person is asked. Plain JSON. */
export interface Question {
  /** Heading; empty where the workflow's name is enough. */
  title: string;
  text: string;
  /** Name of the workflow that asks. */
  from: string;
  call?: QuestionedCall;
  fields: AnswerField[];
  choices: Choice[];
  language: string;
  texts: PageTexts;
}

/** Names of the inputs that aren't fields. */
export const CHOICE_INPUT = 'choice';
export const TOKEN_INPUT = 'token';

const headingOf = ({ title, from }: Question) =>
  title === ''
    ? markup`<h1 dir="auto">${from}</h1>`
    : markup`<h1 dir="auto">${title}</h1>
<p class="from" dir="auto">${from}</p>`;

/** The call that is decided on, whatever the texts say of it. */
const callOf = ({ call, texts }: Question) =>
  call &&
  markup`<p class="from" dir="auto">${texts.toolText}</p>
<h2 dir="auto">${call.tool}</h2>
<div class="text call" dir="auto">${call.args}</div>
${call.others === '' ? undefined : markup`<div class="text call" dir="auto">+ ${call.others}</div>`}`;

/** What was sent before and has to be corrected. */
export interface Correction {
  submitted: Submitted;
  /** Indices of the fields. */
  wrong: number[];
}

/**
 * Returns the page that asks: opening it changes nothing, its buttons send a form to its own address. `token` goes
 * along with the form, so that no other page can send it.
 */
export function questionPage(question: Question, token: string, correction?: Correction): string {
  const { text, fields, choices, language, texts } = question;
  const state: FieldState = { wrong: [], ...correction, wrongText: texts.wrongText };
  const buttons = choices.map(
    ({ value, label, style }) =>
      markup`<button type="submit" class="${style}" name="${CHOICE_INPUT}" value="${value}" dir="auto">${label}</button>
`,
  );
  // n8n takes custom forms in this encoding only.
  const encoding = fields.length > 0 ? markup` enctype="multipart/form-data"` : undefined;
  const content = markup`${headingOf(question)}
<div class="text" dir="auto">${text}</div>
${callOf(question)}
<form method="post"${encoding} accept-charset="utf-8" autocomplete="off">
<input type="hidden" name="${TOKEN_INPUT}" value="${token}">
${fields.map((field, index) => renderField(field, index, state))}
${buttons}</form>`;
  return renderPage({ language, title: question.title || question.from, content });
}

/** Returns a page with a sentence in place of the question and, below it, the label of the answer that was given. */
export function noticePage(question: Question, sentence: string, answer = ''): string {
  const content = markup`${headingOf(question)}
<p class="text" role="status" dir="auto">${sentence}</p>
${answer === '' ? undefined : markup`<p class="text" dir="auto"><strong>${answer}</strong></p>`}`;
  return renderPage({ language: question.language, title: question.title || question.from, content });
}

/** Returns the page for a link of which nothing is known any more. */
export const unknownPage = (): string =>
  renderPage({
    language: 'en',
    title: PAGE_TEXTS.closedText,
    content: markup`<h1>${PAGE_TEXTS.closedText}</h1>`,
  });
