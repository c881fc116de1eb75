/** Where the key of a check comes from: a variable, or a person who types it unseen. Never the command line. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export const KEY_VARIABLE = 'MESSAGING_GATEWAY_KEY';

/** Where somebody is asked: the terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Gives the key of the variable; else asks for it, where somebody is there to be asked.
 * @returns an empty text where there is none
 */
export async function readKey(
  given = process.env[KEY_VARIABLE],
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (given !== undefined) return given.trim();
  return terminal.input.isTTY ? await askUnseen(terminal) : '';
}

async function askUnseen({ input, output }: Terminal): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  // From here on the terminal shows nothing of what is typed: before, a key that is pasted at once would be seen.
  output.write('API key (it stays unseen; press Enter to go on without one): ');
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('SIGINT', () => reject(new Error('Stopped. Nothing more was asked')));
      lines.on('close', () => resolve(''));
      lines.question('', (answer) => resolve(answer.trim()));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}
