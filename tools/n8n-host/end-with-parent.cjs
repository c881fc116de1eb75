/**
 * Loaded into an n8n before its own code: ends it when the process that started it is gone without having ended it,
 * killed for instance, so that no n8n stays behind and keeps its ports.
 */
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 1000).unref();
