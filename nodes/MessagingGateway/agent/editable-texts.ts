import { isObject } from '../../gateway/text/json';

/** The labels of the texts of messages, by parameter; without texts in lists, such as that of a stage. */
export const TEXT_LABELS: Readonly<Record<string, string>> = {
  smsMessage: 'SMS Text',
  viberMessage: 'Viber Text',
  rcsMessage: 'RCS Text',
  whatsappMessage: 'WhatsApp Text',
  message: 'Text to Speak',
};

/** A text of a call that the model alone filled in. */
export interface ProposedText {
  parameter: string;
  label: string;
  proposed: string;
}

/**
 * An expression of one `$fromAI` and nothing else, with the key of its argument in quotes: `={{ $fromAI('key', …) }}`, with the comment
 * that n8n writes in front, or without.
 */
const FILLED_IN =
  /^=\s*\{\{\s*(?:\/\*(?:(?!\*\/|\}\}).)*\*\/\s*)?\$fromAI\(\s*(["'`])([\w-]{1,64})\1(?:(?!\}\}).)*\)\s*\}\}\s*$/su;

/**
 * Returns the texts that a reviewer may edit in a call of a sending tool of this package, by the form of the tool as it is filled in, and
 * the arguments of the call. None where the lock isn't *By a Person*: this lock alone compares what leaves with what was approved.
 */
export function editableTexts(form: Record<string, unknown> | undefined, args: unknown): ProposedText[] {
  const { resource, allowSending, confirmation } = form ?? {};
  if (resource !== 'message' || allowSending !== true || confirmation !== 'person' || !isObject(args))
    return [];
  return Object.entries(TEXT_LABELS).flatMap(([parameter, label]) => {
    const raw = form?.[parameter];
    const [, , key] = (typeof raw === 'string' && FILLED_IN.exec(raw)) || [];
    const proposed = key !== undefined && Object.hasOwn(args, key) ? args[key] : undefined;
    return typeof proposed === 'string' && proposed.trim() !== '' ? { parameter, label, proposed } : [];
  });
}
