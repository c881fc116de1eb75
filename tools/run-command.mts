import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import { ROOT } from './paths.mts';

interface CommandResult {
  code: number;
  output: string;
}

interface CommandOptions {
  /** Whether the output is passed on while the command runs. */
  show?: boolean;
  env?: NodeJS.ProcessEnv;
  cwd?: string;

  /** Whether it, with all that it starts, leaves the processors to others that want them. */
  yields?: boolean;
}

/** Runs a command in the root of the repository. Returns its exit code and its whole output. */
export async function runCommand(
  command: string,
  args: string[],
  { show = false, env = {}, cwd = ROOT, yields = false }: CommandOptions = {},
): Promise<CommandResult> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
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
