/**
 * Whether a host name of a URL can only mean this machine.
 * @param hostname as `URL.hostname` gives it (IPv6 in brackets, IPv4 normalised)
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
