import { createHash } from 'crypto';
import { DateTime } from 'luxon';

import type { AnswerField, Answers, Submitted } from './answer-fields';
import { renderAnswers, renderField } from './answer-fields';
import { Markup, markup, readable } from './markup';

/** Pages for phones and desktops, in light and dark: without scripts and fonts, and with no picture but the author's logo. */
const STYLE = `
:root { color-scheme: light dark; --back: #f3f4f6; --card: #fff; --text: #15171c; --soft: #4b5160; --line: #767c8a; --edge: #dfe2e8;
  --main: #1d4ed8; --on-main: #fff; --bad: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --back: #101216; --card: #1b1e25; --text: #f1f2f5; --soft: #b4bac7; --line: #8b92a1; --edge: #2f3440;
    --main: #9db8ff; --on-main: #0b1636; --bad: #ff9aa5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; background: var(--card); min-height: 100vh; }
@media (min-width: 40rem) {
  main { margin: 3rem auto; padding: 2.5rem 2.5rem 1.5rem; min-height: 0; border-radius: 1rem; border: 1px solid var(--edge); } }
.logo { display: block; max-width: 100%; max-height: 3rem; margin: 0 0 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; margin: 0; overflow-wrap: anywhere; }
.from, .until { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
.text { margin: 1rem 0 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.call { margin: .25rem 0 1rem; font-family: ui-monospace, monospace; }
.must { color: var(--bad); }
.given { margin: 0 0 .25rem; color: var(--soft); overflow-wrap: anywhere; }
.given + .text { margin-top: 0; }
.field { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; font-weight: 600; margin-bottom: .375rem; overflow-wrap: anywhere; }
.option { display: flex; gap: .75rem; align-items: center; min-height: 3rem; font-weight: 400; margin: 0; }
.option input { width: 1.5rem; height: 1.5rem; flex: none; accent-color: var(--main); }
input:not([type=radio]):not([type=checkbox]), textarea, select { width: 100%; min-height: 3rem; padding: .625rem .75rem;
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
textarea { min-height: 8rem; }
.bad { color: var(--bad); margin: 0 0 1rem; font-weight: 600; }
[aria-invalid] { border: 2px solid var(--bad) !important; }
button { display: block; width: 100%; min-height: 3.5rem; margin: 0 0 1rem; padding: .75rem 1rem; font: inherit;
  font-weight: 600; border-radius: .75rem; border: 2px solid var(--main); cursor: pointer; overflow-wrap: anywhere;
  background: transparent; color: var(--main); }
.primary { background: var(--main); color: var(--on-main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Returns the headers of a page: it loads nothing but the logo, stands in no frame, is kept nowhere, and tells no site its address. */
export const headersOf = (logo = ''): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    ...(logo === '' ? [] : [`img-src ${new URL(logo).origin}`]),
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store, max-age=0',
});

/** Returns a whole page, with a heading and, below the heading, who asks. */
const renderPage = (
  { title, from, language, logo = '' }: Pick<Question, 'title' | 'from' | 'language' | 'logo'>,
  content?: Markup,
): string =>
  markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${logo !== '' && markup`<img class="logo" src="${logo}" alt="">`}
<h1 dir="auto">${title}</h1>
${from !== '' && markup`<p class="from" dir="auto">${from}</p>`}
${content}
</main>
</body>
</html>
`.text;

/** A button that sends the form. */
export interface Choice {
  /** The value that the form sends. */
  value: string;
  label: string;

  /** `primary` stands out; any other doesn't. */
  style: string;
}

/** All words of the pages but the question and its labels, by the parameter that replaces them. */
export const PAGE_TEXTS = {
  toolText: 'May an AI agent run this tool?',
  itemsText: 'This is about {count} items.',
  senderText: 'This question was sent by a workflow of {sender}.',
  limitText: 'Answer until {time}.',
  requiredText: '* Required',
  recordedText: 'Thank you. Your answer has been recorded.',
  chosenText: 'You chose: {choice}',
  expiredText: 'The time to answer ended: {time}.',
  closedText: 'This link opens no question.',
  closedHintText:
    'The link may be incomplete, or cannot be checked right now. The question may have been closed or asked anew, or the API key of the sender was changed or removed after the message had left. Please try again in a minute, or ask for a new message.',
  wrongText: 'Please check this answer.',
  reopenText: 'The answer was not accepted. Please open the link in the message again.',
};
export type PageTexts = typeof PAGE_TEXTS;

/** A call of a tool on which a person decides; its texts are visible. */
export interface QuestionedCall {
  tool: string;

  /** The arguments of the call, in full. */
  args: string;

  /** The people whom the arguments name, each with the number that the tool would write to, in lines; empty for nobody. */
  people: string;

  /** Other fields that the tool gets, behind a plus; empty for none. */
  others: string;
}

/** The question that a person is asked. Plain JSON. */
export interface Question {
  title: string;
  text: string;

  /** Who asks; empty where nobody is named. */
  from: string;

  /** Address of the author's logo (https). */
  logo?: string;
  call?: QuestionedCall;
  fields: AnswerField[];
  choices: Choice[];
  language: string;
  texts: PageTexts;
}

/**
 * Returns the question in the form in which people see and answer it: no text can look like another text, whoever wrote it.
 * Names of answers and values of hidden fields, which nobody sees, stay as they are.
 */
export const readableQuestion = ({ fields, choices, texts, ...rest }: Question): Question => ({
  ...rest,
  title: readable(rest.title),
  text: readable(rest.text),
  from: readable(rest.from),
  fields: fields.map((field) => ({
    ...field,
    label: readable(field.label),
    ...(field.placeholder !== undefined && { placeholder: readable(field.placeholder) }),
    ...(field.value !== undefined && field.type !== 'hiddenField' && { value: readable(field.value) }),
    ...(field.options && { options: field.options.map(readable) }),
  })),
  choices: choices.map((choice) => ({ ...choice, label: readable(choice.label) })),
  texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, readable(text)])) as PageTexts,
});

/** When a question can be answered at the latest: milliseconds since 1970, and the time zone of its workflow. */
export interface TimeLimit {
  at: number;
  zone: string;
}

/** Returns a time by the clocks of a zone, with the name of the zone, in a language; of today, without the date. */
function timeText({ at, zone }: TimeLimit, language: string): string {
  const time = DateTime.fromMillis(at, { zone, locale: language });
  const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return time.toLocaleString({
    ...(time.hasSame(DateTime.now().setZone(zone), 'day') ? {} : date),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
  });
}

/** Returns the text of the question and, in a review, the call itself, since the author's and the model's words may misstate it. */
const renderAsked = ({
  text,
  call,
  texts,
}: Question): Markup => markup`${text !== '' && markup`<div class="text" dir="auto">${text}</div>`}
${
  call &&
  markup`<p class="from" dir="auto">${texts.toolText}</p>
<h2 dir="auto">${call.tool}</h2>
<div class="text call" dir="auto">${call.args}</div>
${call.people !== '' && markup`<div class="text call" dir="auto">${call.people}</div>`}
${call.others !== '' && markup`<div class="text call" dir="auto">+ ${call.others}</div>`}`
}`;

/** Names of the inputs that aren't fields. */
export const CHOICE_INPUT = 'choice';
export const TOKEN_INPUT = 'token';

/**
 * Returns the page that asks. Opening the page changes nothing; its buttons send a form to its own address. The form holds `token`, so
 * that a site that knows the link can't make a person send a form of its own. With a limit, the page says until when to answer; with
 * the form that was sent before, what to correct.
 */
export function questionPage(
  question: Question,
  token: string,
  { limit, submitted }: { limit?: TimeLimit; submitted?: Submitted } = {},
): string {
  const { fields, choices, texts, language } = question;
  const buttons = choices.map(
    ({ value, label, style }) =>
      markup`<button type="submit" class="${style}" name="${CHOICE_INPUT}" value="${value}" dir="auto">${label}</button>
`,
  );
  // n8n takes custom forms in this encoding only.
  const encoding = fields.length > 0 && markup` enctype="multipart/form-data"`;
  const hasRequired = fields.some(({ type, required }) => required === true && type !== 'hiddenField');
  const until = limit && texts.limitText.replaceAll('{time}', timeText(limit, language));
  const content = markup`${renderAsked(question)}
${until !== undefined && markup`<p class="until" dir="auto">${until}</p>`}
<form method="post"${encoding} accept-charset="utf-8" autocomplete="off">
<input type="hidden" name="${TOKEN_INPUT}" value="${token}">
${hasRequired && markup`<p class="from" dir="auto">${texts.requiredText}</p>`}
${fields.map((field, index) => renderField(field, index, texts.wrongText, submitted))}
${buttons}</form>`;
  return renderPage(question, content);
}

/** Returns a page with a sentence, and more that belongs to the sentence, in place of the buttons and fields. */
const renderNotice = (question: Question, sentence: string, more?: Markup | Markup[]): string =>
  renderPage(
    question,
    markup`${renderAsked(question)}
<p class="text" role="status" dir="auto">${sentence}</p>
${more}`,
  );

/** Returns the page after an answer: what was asked, and what the person chose or filled in. */
export function recordedPage(question: Question, choice: string, answers: Answers): string {
  const { fields, choices, texts } = question;
  const [before, ...after] = texts.chosenText.split('{choice}');
  const chosen = markup`<p class="text" dir="auto">${before}<bdi><strong>${choice}</strong></bdi>${after.join('')}</p>`;
  return renderNotice(
    question,
    texts.recordedText,
    // The one button below a form's fields was no choice.
    [...(fields.length === 0 || choices.length > 1 ? [chosen] : []), ...renderAnswers(fields, answers)],
  );
}

/** Returns the page of a question that can no longer be answered, and since when. */
export const expiredPage = (question: Question, limit: TimeLimit): string =>
  renderNotice(question, question.texts.expiredText.replaceAll('{time}', timeText(limit, question.language)));

/** Returns the page for a form that was not sent by the page of this question, or came while another answer was taken. */
export const refusedPage = (question: Question): string => renderNotice(question, question.texts.reopenText);

/**
 * Returns the page for a link that opens no question. The page has the language and the words of the question that waits, and tells
 * nothing of what is asked.
 */
export const closedPage = (
  { texts, language }: Pick<Question, 'texts' | 'language'> = { texts: PAGE_TEXTS, language: 'en' },
): string =>
  renderPage(
    { title: texts.closedText, from: '', language },
    markup`<p class="text" dir="auto">${texts.closedHintText}</p>`,
  );
