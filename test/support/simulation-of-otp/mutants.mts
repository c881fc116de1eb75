/** Wrong versions of single rules of one-time passwords, each of which the simulation has to catch. */
import type { Mutant } from '../simulation/mutants.mts';

const ATTEMPTS = 'MessagingGateway/otp/attempts.ts';
const ATTEMPT_MEMORY = 'gateway/otp/attempt-memory.ts';
const FENCES = 'MessagingGateway/otp/fences.ts';
const FENCE_MEMORY = 'gateway/otp/fence-memory.ts';
const FENCE_SLOTS = 'gateway/otp/fence-slots.ts';
const RECORD = 'MessagingGateway/otp/record.ts';

export const OTP_MUTANTS: readonly Mutant[] = [
  {
    name: 'records slots for each simultaneous code',
    file: FENCE_SLOTS,
    find: 'if (this.recording === undefined) {',
    replace: '{',
  },
  {
    name: 'forgets the slots of a code that was not sent',
    file: FENCE_SLOTS,
    find: 'if (this.taken.has(name)) this.spare.add(name);',
    replace: '',
  },
  {
    name: 'takes slots that others have taken',
    file: FENCE_SLOTS,
    find: 'if (!known.has(name)) this.giveBack(name);',
    replace: 'this.giveBack(name);',
  },
  {
    name: 'opens all slots at the same time',
    file: FENCE_SLOTS,
    find: 'const shifted = now + (slot * periodMs) / limit;',
    replace: 'const shifted = now;',
  },
  {
    name: 'keeps slots taken that it could not record',
    file: FENCE_SLOTS,
    find: '      for (const name of names) this.taken.delete(name);\n',
    replace: '',
  },
  {
    name: 'counts a code that was refused after all',
    file: FENCES,
    find: '        release();\n        return slot;',
    replace: '        return slot;',
  },
  {
    name: 'counts a code that the database kept from being sent',
    file: FENCES,
    find: '    release();\n    const error',
    replace: '    const error',
  },
  {
    name: 'asks the record alone',
    file: FENCES,
    find: '  if (refusal) return refusal;\n',
    replace: '',
  },
  {
    name: 'has people come back a moment too soon',
    file: FENCE_MEMORY,
    find: 'times[times.length - limit] + periodMs - now',
    replace: 'times[times.length - limit] + periodMs - now - 1',
  },
  {
    name: 'names the refusal that ends first',
    file: FENCE_MEMORY,
    find: 'one.retryAfterMs > longest.retryAfterMs',
    replace: 'one.retryAfterMs < longest.retryAfterMs',
  },
  {
    name: 'counts one code too many',
    file: FENCE_MEMORY,
    find: 'if (times.length < limit) return undefined;',
    replace: 'if (times.length <= limit) return undefined;',
  },
  {
    name: 'writes its names at the same time',
    file: RECORD,
    find: '    entries?.push({ names, done, failed });\n    if (entries) return;\n',
    replace: '',
  },
  {
    name: 'gives up at the first failure of the database',
    file: RECORD,
    find: 'const TRIES = 5;',
    replace: 'const TRIES = 1;',
  },
  {
    name: 'takes a missing store for a failure',
    file: RECORD,
    find: '      if (isMissing(thrown)) return new Set();\n',
    replace: '',
  },
  {
    name: 'records no success',
    file: ATTEMPTS,
    find: 'let names = isRight ? [use] : [];',
    replace: 'let names: string[] = [];',
  },
  {
    name: 'counts attempts in its memory alone',
    file: ATTEMPTS,
    find: 'if (!known.has(count)) {',
    replace: 'if (known.size >= 0) {',
  },
  {
    name: 'accepts what was used before a restart',
    file: ATTEMPTS,
    find: "    if (known.has(use)) return { reason: 'used', attemptsLeft: 0 };\n",
    replace: '',
  },
  {
    name: 'lets simultaneous right codes in',
    file: ATTEMPT_MEMORY,
    find: '    chain.used = isRight;\n',
    replace: '',
  },
  {
    name: 'allows one attempt too many',
    file: ATTEMPT_MEMORY,
    find: "if (chain.attempts >= most) return { refused: 'too_many_attempts' };",
    replace: "if (chain.attempts > most) return { refused: 'too_many_attempts' };",
  },
];
