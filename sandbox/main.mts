/**
 * Starts the sandbox by one command: `node sandbox/main.mts --port 8080 --key my-key`.
 * Prints the addresses and runs until SIGTERM or SIGINT. Exit status 2: it was asked for something that can't be.
 */
import { readCommandLine, USAGE } from './command-line.mts';
import type { CommandLine } from './command-line.mts';
import { InputError } from './input-error.mts';
import { startSandbox } from './server.mts';

async function start({ options, settings }: CommandLine): Promise<void> {
  const sandbox = await startSandbox(options);
  sandbox.configure(settings);
  const faults = sandbox.faults.list().map(({ struck: _struck, ...plan }) => JSON.stringify(plan));
  process.stdout.write(
    [
      'Sandbox gateway is running. Nothing leaves this machine and nothing costs money.',
      `  Base URL (baseUrl)    ${sandbox.baseUrl}`,
      `  Async URL (asyncUrl)  ${sandbox.asyncUrl}`,
      `  MCP URL (mcpUrl)      ${sandbox.mcpUrl}`,
      `  API key               ${sandbox.account().key}`,
      `  Phone page            ${sandbox.phonePageUrl}`,
      ...faults.map((plan) => `  Fault                 ${plan}`),
      'Press Ctrl+C to stop.',
      '',
    ].join('\n'),
  );
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine.help) process.stdout.write(USAGE);
  else await start(commandLine);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof InputError ? 2 : 1;
}
