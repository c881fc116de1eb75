import { InvalidParameter, quoted } from '../fields/field';
import { labelOf } from './properties';

/** Returns the error for a parameter of the form of Send and Wait, by its name; it says what is accepted and was received. */
export const refusal = (
  name: string,
  accepted: string,
  received: unknown,
  reason?: string,
): InvalidParameter => new InvalidParameter(quoted(labelOf(name)), accepted, received, reason);
