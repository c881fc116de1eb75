/** Common parts of Redis and PostgreSQL. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A server on loopback that ends with `stop`, or with this process, however that ends. */
export interface Service {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Returns the path of a program, if it is installed. */
export function programNamed(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Starts a program that gets a signal from the kernel when its parent ends. Part of every Linux. */
const SETPRIV = programNamed('setpriv');

interface Settings {
  /** The signal to the program when its parent ends. */
  signal: 'KILL' | 'QUIT';

  /** The user to run as, where it isn't the one that runs this process. */
  as?: { uid: string; gid: string };
}

/** Returns a command line that ends with this process, as the given user; without Linux as it is, which ends politely only. */
export function endingWithThis(
  [program, ...args]: [string, ...string[]],
  { signal, as }: Settings,
): [program: string, args: string[]] {
  if (SETPRIV === undefined) return [program, args];
  const user = as ? ['--reuid', as.uid, '--regid', as.gid, '--clear-groups'] : [];
  return [SETPRIV, [...user, '--pdeathsig', signal, program, ...args]];
}
