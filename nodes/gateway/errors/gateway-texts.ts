import type { WireType } from '../contract/operations';
import { TEXT_ENTRIES } from './text-entries';
import type { TextEntry } from './text-entries';

/** A refusal in the gateway's words: of the whole request, or of one operation of a type. */
export interface GatewayText {
  text: string;
  wireType?: WireType;
}

/** Characters that are matched: a refusal says what it is about at its beginning. */
const LOOKED_AT = 1000;

/** The first entry that explains a refusal, if one does. */
export function findTextEntry({ text, wireType }: GatewayText): TextEntry | undefined {
  // Gateways name fields as they are on the wire, and an underscore would hide the word before or after it.
  const words = text.trimStart().slice(0, LOOKED_AT).replaceAll('_', ' ');
  return TEXT_ENTRIES.find(
    ({ pattern, unless, applies }) =>
      pattern.test(words) && unless?.test(words) !== true && applies?.(wireType) !== false,
  );
}
