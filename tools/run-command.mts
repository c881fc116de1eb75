import { spawn } from 'node:child_process';

import { ROOT } from './paths.mts';

export interface CommandResult {
  code: number;
  output: string;
}

/**
 * Runs a command in the root of the repository and gives its exit code and its whole output, which is also
 * passed on while it runs when `show` is set.
 */
export async function runCommand(
  command: string,
  args: string[],
  { show = false, env = {}, cwd = ROOT }: { show?: boolean; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<CommandResult> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const chunks: Buffer[] = [];
    const take = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      chunks.push(chunk);
      if (show) stream.write(chunk);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** Runs a command and throws with its output when it fails. */
export async function mustRun(command: string, args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { code, output } = await runCommand(command, args, { env });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
