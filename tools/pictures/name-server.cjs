/**
 * Loaded into n8n: fails to connect to names below `.invalid` with the error that the name spells, as a network would.
 * `eai-again.invalid` is answered by no name server, `etimedout.invalid` is dropped by a firewall.
 */
const dns = require('node:dns');

/** Codes of a name that isn't found; all others are of a connection that isn't made. */
const OF_NAMES = ['ENOTFOUND', 'EAI_AGAIN'];

function errorOf(host) {
  const [, name] = /^([a-z-]+)\.invalid$/.exec(host) ?? [];
  if (name === undefined) return undefined;
  const code = name.toUpperCase().replaceAll('-', '_');
  const syscall = OF_NAMES.includes(code) ? 'getaddrinfo' : 'connect';
  return Object.assign(new Error(`${syscall} ${code} ${host}`), { code, syscall, hostname: host });
}

const { lookup } = dns;
dns.lookup = function (host, ...rest) {
  const error = errorOf(host);
  return error === undefined ? lookup.call(this, host, ...rest) : process.nextTick(rest.at(-1), error);
};

const { lookup: lookupSoon } = dns.promises;
dns.promises.lookup = async function (host, options) {
  const error = errorOf(host);
  if (error !== undefined) throw error;
  return await lookupSoon.call(this, host, options);
};
