/**
 * Starts the sandbox by one command: `node sandbox/main.mts --port 8080 --key my-key`.
 * Prints the addresses and runs until SIGTERM or SIGINT. Exit status 2: it was asked for something that can't be.
 *
 * `node sandbox/main.mts check <address>` says whether a gateway speaks the contract, and ends.
 */
import { readCommandLine, USAGE } from './command-line.mts';
import type { CommandLine } from './command-line.mts';
import { InputError } from './input.mts';
import { startSandbox } from './server.mts';

async function start({ options, settings }: CommandLine): Promise<void> {
  const sandbox = await startSandbox(options);
  sandbox.configure(settings);
  const faults = sandbox.faults.list().map(({ struck: _struck, ...plan }) => JSON.stringify(plan));
  process.stdout.write(
    [
      'Sandbox gateway is running. Nothing leaves this machine and nothing costs money.',
      'In n8n, create a credential "Messaging Gateway API" and fill in:',
      `  API Key                      ${sandbox.account().key}`,
      `  API Address                  ${sandbox.baseUrl}`,
      `  Queue Address                ${sandbox.asyncUrl}`,
      `  Assistant Connector Address  ${sandbox.mcpUrl}`,
      'Messages arrive on the phone page:',
      `  ${sandbox.phonePageUrl}`,
      ...faults.map((plan) => `  Fault  ${plan}`),
      'Press Ctrl+C to stop.',
      '',
    ].join('\n'),
  );
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** The words for an error at the start, with advice where there is any. */
function sentenceOf(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return message;
  return `Port ${port} is in use by another program: choose one with --port, or --port 0 for any free one`;
}

async function run([first, ...rest]: string[]): Promise<void> {
  if (first === 'check') {
    const { runCheck } = await import('./check.mts');
    process.exitCode = await runCheck(rest);
    return;
  }
  const commandLine = readCommandLine(first === undefined ? [] : [first, ...rest]);
  if (commandLine.help) process.stdout.write(USAGE);
  else await start(commandLine);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = error instanceof InputError ? 2 : 1;
}
