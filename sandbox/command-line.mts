/** The options of the command line, checked before anything starts. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod/v3';
import { isObject } from './checks.mts';
import { changeConfig, defaultConfig } from './config.mts';
import type { ConfigChange } from './config.mts';
import type { FaultPlan } from './faults.mts';
import { address, checked, filled, InputError } from './input.mts';
import { sendersBy } from './operations/channels.mts';
import type { SandboxOptions } from './server.mts';
import type { JsonObject } from './types.mts';

export const USAGE = `Usage: npm run sandbox -- [options]         starts the sandbox
       npm run sandbox -- check <address>   says whether a gateway speaks the contract

  --port <n>            port on 127.0.0.1 (default 8080; 0: any free one)
  --key <key>           API key that is let in (default sandbox-key)
  --outcome <status>    what becomes of messages: a status such as DELIVERED (default),
                        READ or UNDELIVERABLE, or "manual": you decide on the phone page
  --delay <ms>          time from acceptance to that status (default 1500)
  --latency <ms>        time that each API answer takes (default 0)
  --senders <a,b>       approved sender names on every channel (default TestSender and others)
  --notify <url>        where the status of pipelines goes
  --send-enabled <yes|no>   sending switch of the assistant connector (default yes)
  --fault <kind|json>   something that goes wrong: a kind, or {"kind": ...} with options; may be repeated
  --config <file|json>  any settings of sandbox/README.md, and "faults": [...]
  --help
`;

const OPTIONS = {
  port: { type: 'string', default: '8080' },
  key: { type: 'string' },
  outcome: { type: 'string', default: 'DELIVERED' },
  delay: { type: 'string', default: '1500' },
  latency: { type: 'string', default: '0' },
  senders: { type: 'string' },
  notify: { type: 'string' },
  'send-enabled': { type: 'string', default: 'yes' },
  fault: { type: 'string', multiple: true, default: [] as string[] },
  config: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

export interface CommandLine {
  help: boolean;
  options: SandboxOptions;
  /** Settings that go over those of the other options. */
  settings: ConfigChange;
}

/**
 * Reads the command line.
 * @throws InputError with one sentence for a person
 */
export function readCommandLine(args: string[]): CommandLine {
  const values = parse(args);
  const { faults = [], ...settings } = values.config === undefined ? {} : readConfig(values.config);
  checked(z.array(z.unknown()), faults, 'faults of --config');
  changeConfig(defaultConfig(), settings);
  const outcome = checked(filled, values.outcome, '--outcome').trim();
  const enabled = checked(z.enum(['yes', 'no']), values['send-enabled'], '--send-enabled');
  return {
    help: values.help,
    options: {
      port: wholeNumber('--port', values.port, 65_535),
      accounts: [
        {
          ...given('key', '--key', values.key, filled),
          ...given('notificationUrl', '--notify', values.notify, address),
          ...sendersOf(values.senders),
        },
      ],
      config: {
        latencyMs: wholeNumber('--latency', values.latency),
        outcomes: {
          afterMs: wholeNumber('--delay', values.delay),
          fallback: { steps: outcome === 'manual' ? [] : [{ status: outcome.toUpperCase() }] },
        },
        connector: { sendEnabled: enabled === 'yes' },
      },
      faults: [...(faults as FaultPlan[]), ...values.fault.map(readFault)],
    },
    settings,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    // Its first sentence says what is wrong, the rest how to write positional arguments, which there are none of.
    throw new InputError((error as Error).message.split('. ')[0]);
  }
}

function given(name: string, option: string, value: string | undefined, schema: z.ZodType): JsonObject {
  return value === undefined ? {} : { [name]: checked(schema, value, option) as unknown };
}

function sendersOf(value: string | undefined): JsonObject {
  if (value === undefined) return {};
  const names = checked(z.array(filled), value.split(','), '--senders').map((name) => name.trim());
  return { senders: sendersBy(() => names) };
}

const wholeNumber = (option: string, text: string, most = 2 ** 31 - 1): number =>
  checked(
    z.string().regex(/^\d+$/, 'has to be a whole number').transform(Number).pipe(z.number().max(most)),
    text,
    option,
  );

function readFault(text: string): FaultPlan {
  if (!text.trim().startsWith('{')) return { kind: text as never };
  return parsed(text, '--fault') as unknown as FaultPlan;
}

/** Settings from a file, or written out on the command line itself. */
function readConfig(value: string): JsonObject {
  if (value.trim().startsWith('{')) return parsed(value, '--config');
  let text: string;
  try {
    text = readFileSync(value, 'utf8');
  } catch (error) {
    throw new InputError(`The file of --config can't be read: ${(error as Error).message}`);
  }
  return parsed(text, `The file ${value}`);
}

function parsed(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${what} isn't JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
  if (!isObject(value)) throw new InputError(`${what} has to be a JSON object`);
  return value;
}
