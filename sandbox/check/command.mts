/** The command line of a check. */
import { parseArgs } from 'node:util';
import { InputError } from '../input-error.mts';
import { isLoopbackHost } from '../loopback.mts';
import { check } from './check.mts';
import type { Addresses } from './check.mts';
import type { Row } from './judge.mts';
import { KEY_VARIABLE, readKey } from './key.mts';
import { quoted } from './words.mts';

export const CHECK_USAGE = `Usage: npm run sandbox -- check <address> [--async <address>] [--connector <address>]

Says, row by row, whether a provider's gateway speaks the contract that the
n8n node needs. It reads the balance, the senders,
the templates and the status of a message that doesn't exist: nothing is sent, looked up or changed.

  <address>               Base URL of the gateway, such as https://api.example.com
  --async <address>       Async URL, to look at that as well
  --connector <address>   Assistant Connector URL, to look at that as well

The API key is asked for without being shown, or taken from the variable ${KEY_VARIABLE}. It is never printed, and leaves
only after the address has refused a made-up key.

Exit status: 0 it speaks the contract, 1 it doesn't or only in part, 2 wrong use, 3 that could not be found out.
`;

const OPTIONS = {
  async: { type: 'string' },
  connector: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** What each address ends with in the contract, which people copy along. */
const PATHS = { address: '/api/json.php', '--async': '/v1/json', '--connector': '/mcp' } as const;

/**
 * Reads the command line of a check.
 * @returns undefined where only help is wanted
 * @throws InputError with one sentence for a person
 */
export function readCheckLine(args: string[]): Addresses | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length !== 1)
    throw new InputError('Say which address to check, such as: check https://api.example.com');
  return {
    baseUrl: addressOf('address', positionals[0]),
    ...(values.async !== undefined && { asyncUrl: addressOf('--async', values.async) }),
    ...(values.connector !== undefined && { mcpUrl: addressOf('--connector', values.connector) }),
  };
}

function parse(args: string[]) {
  const secret = args.find((arg) => /^--?(api-?)?(key|auth|token)(=|$)/i.test(arg));
  if (secret !== undefined) {
    throw new InputError(
      `The key doesn't belong on the command line, where others can read it: set ${KEY_VARIABLE}, or type it when asked`,
    );
  }
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new InputError((error as Error).message.split('. ')[0]);
  }
}

/** An address without the path that the contract puts behind it. */
function addressOf(name: keyof typeof PATHS, text: string): string {
  const isLocal = isLoopbackHost(text.split(/[:/]/)[0]);
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InputError(
      `The ${name === 'address' ? 'address' : `address of ${name}`} has to be like https://api.example.com, not ${quoted(text)}`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new InputError(
      'An address has neither a user name nor anything behind a question mark; leave that out',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(PATHS[name]) ? path.slice(0, -PATHS[name].length) : path);
}

/**
 * Runs a check for a person.
 * @returns the exit status
 * @throws InputError for a command line that can't be
 */
export async function runCheck(args: string[]): Promise<number> {
  const addresses = readCheckLine(args);
  if (!addresses) {
    process.stdout.write(CHECK_USAGE);
    return 0;
  }
  let key = '';
  const say = (text: string) => process.stdout.write(`${withoutKey(text, key)}\n`);
  say(`Checking ${addresses.baseUrl}: nothing is sent, looked up or changed.\n`);
  const { status, said } = await check(addresses, {
    key: async () => {
      key = await readKey();
      return key;
    },
    tell: (row) => say(lineOf(row)),
  });
  say(`\n${said}`);
  return status;
}

const lineOf = ({ mark, about, said }: Row): string => `  ${mark.padEnd(8)} ${about.padEnd(16)} ${said}`;

/** Shorter than this, a key is a word of our own sentences. */
const SHORTEST_MASKED = 6;

/** A second lock: what a gateway says was masked as it came in, but for the names of its fields. */
const withoutKey = (text: string, key: string): string =>
  key.length < SHORTEST_MASKED ? text : text.replaceAll(key, '***');
