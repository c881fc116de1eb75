import { isObject } from '../../gateway/text/json';

/** The texts of messages, by their parameters, with their labels. A text in a list, such as a stage's, isn't among them. */
export const TEXT_LABELS: Readonly<Record<string, string>> = {
  smsMessage: 'SMS Text',
  viberMessage: 'Viber Text',
  rcsMessage: 'RCS Text',
  whatsappMessage: 'WhatsApp Text',
  message: 'Text to Speak',
};

/** A text that the model fills in whole, as the call has it. */
export interface ProposedText {
  parameter: string;
  label: string;
  proposed: string;
}

/** A parameter that one argument of the model fills in, and nothing else; the key of the argument stands in quotes. */
const FILLED_IN =
  /^=\s*\{\{\s*(?:\/\*(?:(?!\*\/|\}\}).)*\*\/\s*)?\$fromAI\(\s*(["'`])([\w-]{1,64})\1(?:(?!\}\}).)*\)\s*\}\}\s*$/su;

/**
 * Returns the texts of a call of a sending tool of this package that a reviewer may edit. Takes the form of the tool, as it is filled in,
 * and the arguments of the call. None where the lock isn't *By a Person*, which compares what leaves with what was approved.
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
