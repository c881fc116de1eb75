import { isLocalHost, toUrl } from '../text/hosts';

/** The end of the address of a Messaging Gateway Trigger, in any n8n: the id that n8n gave its webhook, and its path. */
const TRIGGER_END = /\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/callback\/?(?:[?#]|$)/i;

/** Whether a callback address looks like that of a Messaging Gateway Trigger. */
export const isTriggerAddress = (url: unknown): boolean => TRIGGER_END.test(String(url));

/** The same end with any id, which a person may have chosen. */
const TRIGGER_END_WITH_ANY_ID = /\/([^/?#\s]+)\/callback\/?(?:[?#]|$)/;

/** Returns the id of the webhook in the address of a trigger; empty for an address of another form. */
export const triggerIn = (url: string): string => TRIGGER_END_WITH_ANY_ID.exec(url)?.[1] ?? '';

export const SECRET_PARAMETER = 'secret';

/** Characters of the shortest secret: the node masks secrets in every text, and a shorter one stands in ordinary words and numbers. */
export const SHORTEST_SECRET = 8;

/** The parts of an address that open something: the secret of a trigger, a seal, n8n's signature before the id of its node. */
const SECRETS = /(?<=[?&](?:secret|seal)=)[^&#\s"]+|(?<=[?&]signature=)[^&#/\s"]+/gi;

/** Returns the parts of an address that only its owner may see, to be masked wherever it could be quoted. */
export const addressSecrets = (address: unknown): string[] =>
  typeof address === 'string' ? (address.match(SECRETS) ?? []) : [];

/** Returns a text with asterisks in place of the secrets of the addresses in it. */
export const withoutSecret = (text: string): string => text.replace(SECRETS, '***');

const PUBLIC_ADVICE =
  'Use an https address at which n8n can be reached from the internet (set WEBHOOK_URL), or a tunnel. What runs on this machine, such as the sandbox, is not affected.';

/** Whether an address is on this machine or in a private network, where only neighbours reach it. */
export function isNear(url: string): boolean {
  const hostname = toUrl(url)?.hostname;
  return hostname !== undefined && isLocalHost(hostname);
}

/**
 * Returns why a gateway or a phone on the internet can't reach an address of n8n (`reason`, without a full stop; `name` is what the
 * address is called there), or should not, and what to do (`advice`); undefined for a good address. A `gateway` whose own address is
 * near, such as the sandbox, reaches near addresses. Looks at the texts of the addresses alone (gateway-api.md, "Callbacks": `hook`).
 */
export function unreachableReason(url: unknown, { name = 'callback address', gateway = '' } = {}) {
  const parsed = toUrl(String(url));
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol)) {
    return {
      reason: `The ${name} is not a web address`,
      advice:
        'Enter an address that starts with https://, such as the production URL of a Messaging Gateway Trigger.',
    };
  }
  const { hostname, protocol, pathname } = parsed;
  const isReached = isNear(gateway) && isLocalHost(hostname);
  if (isLocalHost(hostname) && !isReached) {
    return {
      reason: `The ${name} is on this machine or in a private network (${hostname})`,
      advice: PUBLIC_ADVICE,
    };
  }
  if (pathname.includes('/webhook-test/')) {
    return {
      reason: `The ${name} is the test URL of a trigger, which only works while the editor listens`,
      advice: 'Use the production URL of the trigger and publish its workflow.',
    };
  }
  // Many gateways call https only, and anyone on the way can read along.
  return protocol === 'http:' && !isReached
    ? { reason: `The ${name} is not encrypted (http)`, advice: PUBLIC_ADVICE }
    : undefined;
}
