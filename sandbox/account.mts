/** Accounts of the sandbox: which keys are let in, what they may use, what they have left. */
import { z } from 'zod/v3';
import { address, checked, filled } from './input.mts';
import { sendersBy } from './operations/channels.mts';

export interface Account {
  name: string;
  key: string;
  /** Off: `Access denied`, like each of the next two. */
  enabled: boolean;
  /** The API switch in the cabinet. */
  apiEnabled: boolean;
  /** Addresses that may use the key; `null`: all. */
  allowedIps: string[] | null;
  /** Approved sender names by channel; `'*'` in a list approves every name. */
  senders: Record<string, string[]>;
  balance: { amount: number; currency: string };
  /** Refuse sends that cost more than is left. */
  prepaid: boolean;
  /** Features of the tariff. A feature that is off makes the property of that name an item error. */
  tariff: { short_link: boolean; unsubscribe_link: boolean };
  /** Where the status of pipelines goes ("notification address set in the API settings"). */
  notificationUrl: string | null;
}

/** Price of what isn't a message on a channel, in the account's currency. */
export const PRICES = { 'call/otp': 0.02, hlr: 0.01 } as const;

/** The key of the account that exists when none is given. */
export const DEFAULT_KEY = 'sandbox-key';

const ACCOUNT: z.ZodType<Partial<Account>> = z
  .object({
    name: filled,
    key: filled,
    enabled: z.boolean(),
    apiEnabled: z.boolean(),
    allowedIps: z.array(z.string()).nullable(),
    senders: z.object(sendersBy(() => z.array(z.string()))).strict(),
    balance: z.object({ amount: z.number(), currency: z.string() }).strict(),
    prepaid: z.boolean(),
    tariff: z.object({ short_link: z.boolean(), unsubscribe_link: z.boolean() }).strict(),
    notificationUrl: address.nullable(),
  })
  .partial()
  .strict();

/**
 * Makes an account; what is left out gets a usable value.
 * @throws InputError for what an account can't be
 */
export function makeAccount(given: Partial<Account> = {}): Account {
  return {
    name: 'main',
    key: DEFAULT_KEY,
    enabled: true,
    apiEnabled: true,
    allowedIps: null,
    senders: sendersBy((usual) => [...usual]),
    balance: { amount: 1000, currency: 'EUR' },
    prepaid: false,
    tariff: { short_link: true, unsubscribe_link: true },
    notificationUrl: null,
    ...checked(ACCOUNT, given, 'Account'),
  };
}

/**
 * Changes the account of `key` (default: the first one), or adds it.
 * @throws InputError for what an account can't be
 */
export function changeAccount(accounts: Map<string, Account>, input: object): Account {
  const given = checked(ACCOUNT, input, 'Account');
  const key = given.key ?? [...accounts.keys()][0] ?? DEFAULT_KEY;
  const account = { ...(accounts.get(key) ?? makeAccount({ key })), ...given };
  accounts.set(key, account);
  return account;
}

/**
 * Finds the account of a key.
 * @param ip address of the caller, for accounts with an allow-list
 * @returns undefined where the gateway would say `Access denied`
 */
export function admit(accounts: Map<string, Account>, key: unknown, ip: string): Account | undefined {
  const account = typeof key === 'string' ? accounts.get(key) : undefined;
  if (!account || !account.enabled || !account.apiEnabled) return undefined;
  if (account.allowedIps && !account.allowedIps.includes(ip)) return undefined;
  return account;
}

/** Whether a sender name is approved for a channel; every name is on a channel that refuses none. */
export function isApproved(account: Account, channel: string, name: unknown): boolean {
  const names = account.senders[channel] ?? ['*'];
  return names.includes('*') || (typeof name === 'string' && names.includes(name));
}
