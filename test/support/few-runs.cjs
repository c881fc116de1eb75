/**
 * fast-check for mutation testing: loaded once for all mutants, by Node instead of jest, which would load it again for
 * each of them and take longer than the tests; and with few values for each property.
 */
const { createRequire } = process.getBuiltinModule('node:module');

const fastCheck = createRequire(__filename)('fast-check');

const MOST_RUNS = 100;

const few = (options = {}) => ({ ...options, numRuns: Math.min(options.numRuns ?? MOST_RUNS, MOST_RUNS) });
const fc = { ...fastCheck, assert: (property, options) => fastCheck.assert(property, few(options)) };

module.exports = { __esModule: true, ...fc, default: fc };
