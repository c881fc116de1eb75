/**
 * Starts the sandbox by one command: `node sandbox/main.mts --port 8080 --key my-key`.
 * Prints the addresses and runs until SIGTERM or SIGINT.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandbox } from './server.mts';
import type { SandboxOptions } from './server.mts';

const USAGE = `Usage: node sandbox/main.mts [options]

  --port <n>            port on 127.0.0.1 (default 8080; 0: any free one)
  --key <key>           API key that is let in (default sandbox-key)
  --outcome <status>    what becomes of messages: a status such as DELIVERED (default),
                        READ or UNDELIVERABLE, or "manual": you decide on the phone page
  --delay <ms>          time from acceptance to that status (default 1500)
  --latency <ms>        time that each API answer takes (default 0)
  --senders <a,b>       approved sender names on every channel (default TestSender and others)
  --notify <url>        where the status of pipelines goes
  --send-enabled <yes|no>   sending switch of the assistant connector (default yes)
  --config <file>       JSON file with any settings of sandbox/README.md
  --help
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    key: { type: 'string' },
    outcome: { type: 'string', default: 'DELIVERED' },
    delay: { type: 'string', default: '1500' },
    latency: { type: 'string', default: '0' },
    senders: { type: 'string' },
    notify: { type: 'string' },
    'send-enabled': { type: 'string', default: 'yes' },
    config: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'port' | 'delay' | 'latency'): number {
  const text = values[name];
  if (!/^\d+$/.test(text)) throw new Error(`--${name} has to be a whole number, not "${text}"`);
  return Number(text);
}

function options(): SandboxOptions {
  const names = values.senders?.split(',').map((name) => name.trim());
  const outcome = values.outcome.trim();
  return {
    port: wholeNumber('port'),
    accounts: [
      {
        ...(values.key === undefined ? {} : { key: values.key }),
        ...(names ? { senders: { sms: names, viber: names, rcs: names } } : {}),
        ...(values.notify === undefined ? {} : { notificationUrl: values.notify }),
      },
    ],
    config: {
      latencyMs: wholeNumber('latency'),
      outcomes: {
        afterMs: wholeNumber('delay'),
        fallback: { steps: outcome === 'manual' ? [] : [{ status: outcome.toUpperCase() }] },
      },
      connector: { sendEnabled: values['send-enabled'] !== 'no' },
    },
  };
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  try {
    const sandbox = await startSandbox(options());
    if (values.config !== undefined) sandbox.configure(JSON.parse(readFileSync(values.config, 'utf8')));
    process.stdout.write(
      [
        'Sandbox gateway is running. Nothing leaves this machine and nothing costs money.',
        `  Base URL (baseUrl)    ${sandbox.baseUrl}`,
        `  Async URL (asyncUrl)  ${sandbox.asyncUrl}`,
        `  MCP URL (mcpUrl)      ${sandbox.mcpUrl}`,
        `  API key               ${sandbox.account().key}`,
        `  Phone page            ${sandbox.phonePageUrl}`,
        'Press Ctrl+C to stop.',
        '',
      ].join('\n'),
    );
    const stop = () => void sandbox.close().then(() => process.exit(0));
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
