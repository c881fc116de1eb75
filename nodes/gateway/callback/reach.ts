import { addressOfHost, isLocalName, isPublicAddress } from '../network/public-address';

/**
 * Whether a gateway on the internet can reach an address, and if not, why:
 *
 * - `notAddress`: it isn't a web address.
 * - `localhost`, `private`, `localName`: it only works on one machine or in one network.
 * - `notEncrypted`: http; many gateways call https only, and anyone on the way can read along.
 * - `testUrl`: the test URL of a trigger, which only works while the editor listens.
 */
export type Reach =
  | { reachable: true }
  | {
      reachable: false;
      kind: 'notAddress' | 'localhost' | 'private' | 'localName' | 'notEncrypted' | 'testUrl';
      /** One sentence that says why, without a full stop. */
      reason: string;
      /** What to do about it, in sentences. */
      advice: string;
    };

const PUBLIC_ADVICE =
  'Use an https address at which n8n can be reached from the internet (set WEBHOOK_URL), or a tunnel. A gateway on this machine, such as the sandbox, is not affected.';

/**
 * Tells whether a gateway on the internet can reach a callback address. Looks at the address only, without resolving
 * its host name or opening a connection: `reachable: true` means that nothing speaks against it.
 * Source: gateway-api.md, "Events" (`hook`).
 */
export function describeReach(url: unknown): Reach {
  const parsed = parse(url);
  if (parsed === undefined) {
    return {
      reachable: false,
      kind: 'notAddress',
      reason: 'The callback address is not a web address',
      advice:
        'Enter an address that starts with https://, such as the production URL of a Messaging Gateway Trigger.',
    };
  }
  const { hostname, protocol, pathname } = parsed;
  const address = addressOfHost(hostname);
  if (isLocalhost(hostname, address)) {
    return no('localhost', `The callback address is on this machine only (${hostname})`);
  }
  if (address !== undefined && !isPublicAddress(address)) {
    return no('private', `The callback address is in a private network (${hostname})`);
  }
  if (address === undefined && isLocalName(hostname)) {
    return no(
      'localName',
      `The host name "${hostname}" of the callback address does not exist on the internet`,
    );
  }
  if (pathname.includes('/webhook-test/')) {
    return {
      reachable: false,
      kind: 'testUrl',
      reason: 'The callback address is the test URL of a trigger, which only works while the editor listens',
      advice: 'Use the production URL of the trigger and publish its workflow.',
    };
  }
  if (protocol === 'http:') return no('notEncrypted', 'The callback address is not encrypted (http)');
  return { reachable: true };
}

function parse(url: unknown): URL | undefined {
  if (typeof url !== 'string') return undefined;
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed : undefined;
  } catch {
    // Not an address, which the result says.
    return undefined;
  }
}

function isLocalhost(hostname: string, address: string | undefined): boolean {
  if (address !== undefined) return /^(127|0)\./.test(address) || address === '::1' || address === '::';
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

const no = (kind: 'localhost' | 'private' | 'localName' | 'notEncrypted', reason: string): Reach => ({
  reachable: false,
  kind,
  reason,
  advice: PUBLIC_ADVICE,
});
