/** Wrong versions of single rules of one-time passwords, each of which the simulation has to catch. */
import type { Mutant } from '../simulation/mutants.mts';

const ATTEMPTS = 'MessagingGateway/otp/attempts.ts';
const ATTEMPT_MEMORY = 'gateway/otp/attempt-memory.ts';
const RATE_LIMITS = 'gateway/otp/rate-limits.ts';
const RATE_SLOTS = 'gateway/otp/rate-slots.ts';
const RECORD = 'MessagingGateway/otp/record.ts';

export const OTP_MUTANTS: readonly Mutant[] = [
  {
    name: 'forgets the slots of a code that was not sent',
    file: RATE_SLOTS,
    find: '    this.spare.add(slot);\n  }\n\n',
    replace: '  }\n\n',
  },
  {
    name: 'takes slots that others have taken',
    file: RATE_SLOTS,
    find: 'if (!known.has(this.nameOf(slot))) this.spare.add(slot);',
    replace: 'this.spare.add(slot);',
  },
  {
    name: 'opens all slots at the same time',
    file: RATE_SLOTS,
    find: 'return Math.floor((time * limit) / periodMs);',
    replace: 'return limit * Math.floor(time / periodMs) + limit - 1;',
    from: 110,
  },
  {
    name: 'keeps slots taken that it could not record',
    file: RATE_SLOTS,
    find: 'const known = await record(',
    replace: 'for (const slot of block) this.taken.add(slot);\n    const known = await record(',
    from: 72,
  },
  {
    name: 'counts a code that was refused after all, or that the database kept from being sent',
    file: RATE_LIMITS,
    find: 'if (!isReserved) release();',
    replace: '',
  },
  {
    name: 'asks the record alone',
    file: RATE_LIMITS,
    find: '    if (refusal) return refusal;\n',
    replace: '',
  },
  {
    name: 'has people come back a moment too soon',
    file: RATE_LIMITS,
    find: 'retryAfterMs: first + periodMs - now }',
    replace: 'retryAfterMs: first + periodMs - now - 1 }',
  },
  {
    name: 'names the refusal that ends first',
    file: RATE_LIMITS,
    find: 'b.retryAfterMs - a.retryAfterMs',
    replace: 'a.retryAfterMs - b.retryAfterMs',
    from: 92,
  },
  {
    name: 'counts one code too many',
    file: RATE_LIMITS,
    find: 'times.at(-limit)',
    replace: 'times.at(-limit - 1)',
  },
  {
    name: 'writes its names at the same time',
    file: RECORD,
    find: '    entries?.push({ names, done, failed });\n    if (entries) return;\n',
    replace: '',
    from: 126,
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
    name: 'counts wrong codes for each challenge alone',
    file: ATTEMPTS,
    find: 'wrongCodesOf(keys, challenge.phone, mostWrong)',
    replace: 'wrongCodesOf(keys, 1000 * challenge.phone + Number(challenge.root), mostWrong)',
  },
  {
    name: 'forgets the wrong codes of a number with its process',
    file: ATTEMPTS,
    find: 'await wrongCodes.reserve([limit], now, record)',
    replace: 'await wrongCodes.reserve([limit], now, async () => await Promise.resolve(new Set<string>()))',
  },
  {
    name: 'counts right codes among the wrong ones of a number',
    file: ATTEMPTS,
    find: "undo = reason.reason === 'wrong' ? () => undefined : () => passed.release();",
    replace: 'undo = () => undefined;',
  },
  {
    name: 'accepts a right code behind the limit of a number',
    file: ATTEMPTS,
    find: 'await wrongCodes.reserve([limit], now, record)',
    replace: 'isRight ? { release: () => undefined } : await wrongCodes.reserve([limit], now, record)',
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
    find: "chain.attempts >= chain.most ? 'too_many_attempts'",
    replace: "chain.attempts > chain.most ? 'too_many_attempts'",
  },
];
