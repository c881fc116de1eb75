/**
 * Loaded into an n8n before its own code: collects all garbage of the process when SIGUSR2 comes, so that a measurement
 * begins without that of earlier work and counts all of its own, which V8 would collect up to a minute later.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => collect());
