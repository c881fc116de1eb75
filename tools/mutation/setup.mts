/** What tests that are written for jest need in Vitest, and less time for each generated property: they run for each mutant. */
import fc from 'fast-check';
import { vi } from 'vitest';

Object.assign(globalThis, { jest: vi });
fc.configureGlobal({ interruptAfterTimeLimit: 200 });
// Vitest puts the values of a table into JSON.
Object.assign(BigInt.prototype, { toJSON: String });
