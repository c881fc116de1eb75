import { DateTime } from 'luxon';

import { measureSms } from '../sms/segments';
import { isUnseen, leftoverIn, whyNotWhole } from '../text/characters';
import type { Markup } from './markup';
import { markup } from './markup';

export const ANSWER_FIELD_TYPES = {
  checkbox: 'Checkboxes',
  date: 'Date',
  dropdown: 'Dropdown',
  email: 'Email',
  hiddenField: 'Hidden Field',
  number: 'Number',
  password: 'Password',
  radio: 'Radio Buttons',
  text: 'Text Input',
  textarea: 'Textarea',
} as const;

export type AnswerFieldType = keyof typeof ANSWER_FIELD_TYPES;

export interface AnswerField {
  type: AnswerFieldType;

  /** Name of its value in the output. */
  name: string;
  label: string;
  required?: boolean;
  placeholder?: string;

  /** What the field holds at first; a hidden field keeps it. */
  value?: string;

  /** Set where the answer becomes the text of a message, with no leftover of a program in it; `maxParts`: of an SMS. */
  message?: { maxParts?: number };

  /** The choices of a dropdown, of radio buttons, of checkboxes. */
  options?: string[];
}

/** Characters of one answer. */
const LONGEST_ANSWER = 10_000;

/** The values that a form sends, by name of the input: one or several. */
export type Submitted = Record<string, unknown>;

const inputName = (index: number): string => `f${index}`;

/** Returns the values that a form sent for a field; before that, those that the field holds at first. */
function valuesOf(field: AnswerField, index: number, submitted: Submitted | undefined): string[] {
  if (submitted === undefined) {
    const first = field.value ?? '';
    return field.type === 'checkbox' ? first.split(',').map((value) => value.trim()) : [first];
  }
  const sent = submitted[inputName(index)];
  return (Array.isArray(sent) ? sent : [sent]).filter((value) => typeof value === 'string');
}

/**
 * Returns the markup of a field; `index` counts the fields of the form. With the form that was sent before, the field shows its
 * value, and `wrongText` where it has to be corrected.
 */
export function renderField(
  field: AnswerField,
  index: number,
  wrongText: string,
  submitted?: Submitted,
): Markup | undefined {
  const { type, label, required, placeholder, options = [] } = field;
  if (type === 'hiddenField') return undefined;
  const name = inputName(index);
  const values = valuesOf(field, index, submitted);
  const [value = ''] = values;
  const isWrong = submitted !== undefined && readAnswer(field, values) === undefined;
  const error = isWrong && markup`<p class="bad" id="${name}-error">${wrongText}</p>`;
  const described = isWrong && markup` aria-describedby="${name}-error"`;
  const must = required && markup` required`;
  const star = required && markup` <span class="must">*</span>`;
  if (type === 'radio' || type === 'checkbox') {
    const inputs = options.map((option, i) => {
      const id = `${name}-${i}`;
      const checked = values.includes(option) && markup` checked`;
      // Browsers can't require one of several checkboxes; the server does.
      const attributes = markup`${checked}${type === 'radio' && must}`;
      return markup`<label class="option" for="${id}"><input type="${type}" id="${id}" name="${name}" value="${option}"${attributes}><span dir="auto">${option}</span></label>`;
    });
    return markup`<fieldset class="field"${described}><legend dir="auto">${label}${star}</legend>${error}${inputs}</fieldset>`;
  }
  const hint = placeholder !== undefined && markup` placeholder="${placeholder}"`;
  const invalid = isWrong && markup` aria-invalid="true"`;
  const limit = type === 'number' ? markup` step="any"` : markup` maxlength="${String(LONGEST_ANSWER)}"`;
  const attributes = markup`id="${name}" name="${name}" dir="auto"${must}${hint}${invalid}${described}`;
  const choices = options.map(
    (option) =>
      markup`<option value="${option}"${values.includes(option) && markup` selected`}>${option}</option>`,
  );
  const input =
    type === 'textarea'
      ? markup`<textarea ${attributes} rows="5"${limit}>\n${value}</textarea>`
      : type === 'dropdown'
        ? markup`<select ${attributes}><option value=""></option>${choices}</select>`
        : markup`<input type="${type}" ${attributes} value="${type !== 'password' && value}"${limit}>`;
  return markup`<div class="field"><label for="${name}" dir="auto">${label}${star}</label>${error}${input}</div>`;
}

/** Returns the answers below the labels of their fields, without those of hidden fields, passwords and empty fields. */
export const renderAnswers = (fields: readonly AnswerField[], answers: Answers): Markup[] =>
  fields.flatMap(({ type, name, label }) => {
    const answer = answers[name];
    const text = Array.isArray(answer) ? answer.join(', ') : String(answer ?? '');
    if (type === 'hiddenField' || type === 'password' || text === '') return [];
    return markup`<p class="given" dir="auto">${label}</p>
<p class="text" dir="auto"><strong>${text}</strong></p>
`;
  });

export type Answers = Record<string, string | number | string[] | null>;

/**
 * Reads what a form sent. Returns the answers by name of their fields (numbers for number fields, lists for checkboxes,
 * null for what was left empty); undefined where a field has to be corrected.
 */
export function readAnswers(fields: readonly AnswerField[], submitted: Submitted): Answers | undefined {
  const answers = fields.map((field, index) => readAnswer(field, valuesOf(field, index, submitted)));
  if (answers.includes(undefined)) return undefined;
  return Object.fromEntries(fields.map(({ name }, index) => [name, answers[index] ?? null]));
}

/** One at sign, and behind it labels with dots between them. */
const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/;
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether a text can be that of a message. */
const canBeSent = (text: string, maxParts = Infinity): boolean =>
  whyNotWhole(text) === undefined &&
  leftoverIn(text) === undefined &&
  !isUnseen(text) &&
  measureSms(text).segments <= maxParts;

/** Reads the answer to a field; undefined for one that the field doesn't accept. */
function readAnswer(
  { type, required, value, message, options = [] }: AnswerField,
  values: string[],
): Answers[string] | undefined {
  if (type === 'hiddenField') return value ?? null;
  // A browser sends line breaks as CR LF.
  const given = values.map((entry) => entry.replaceAll('\r\n', '\n')).filter((entry) => entry.trim() !== '');
  if (given.length === 0) return required === true ? undefined : type === 'checkbox' ? [] : null;
  if (type === 'checkbox') {
    const chosen = [...new Set(given)];
    return chosen.every((entry) => options.includes(entry)) ? chosen : undefined;
  }
  const [answer] = given;
  if (given.length > 1 || answer.length > LONGEST_ANSWER) return undefined;
  if (message !== undefined && !canBeSent(answer, message.maxParts)) return undefined;
  if (type === 'number') {
    // A larger number would be rounded.
    const isExact = NUMBER.test(answer.trim()) && Math.abs(Number(answer)) <= Number.MAX_SAFE_INTEGER;
    return isExact ? Number(answer) : undefined;
  }
  if (type === 'email') {
    const address = answer.trim();
    return EMAIL.test(address) ? address : undefined;
  }
  if (type === 'date') return DATE.test(answer) && DateTime.fromISO(answer).isValid ? answer : undefined;
  if (type === 'dropdown' || type === 'radio') return options.includes(answer) ? answer : undefined;
  return answer;
}
