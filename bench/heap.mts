/** What a Node process holds in memory once its garbage is collected, asked through its inspector. */

/** Option of Node (NODE_OPTIONS) that opens the inspector on loopback, on any free port. */
export const INSPECT = '--inspect=127.0.0.1:0';

interface Reply {
  id: number;
  result?: { usedSize?: number };
}

/**
 * Collects the garbage of a process that was started with `INSPECT` and returns the bytes of its heap that are left.
 * `log` is what the process has printed so far: Node prints the address of its inspector there.
 */
export async function heapInUse(log: string): Promise<number> {
  const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(log) ?? [];
  if (address === undefined) throw new Error('The process has not printed the address of an inspector');
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`No inspector at ${address}`)));
  });
  let serial = 0;
  const call = async (method: string): Promise<Reply['result']> => {
    const id = ++serial;
    return await new Promise((resolve) => {
      const listener = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as Reply;
        if (reply.id !== id) return;
        socket.removeEventListener('message', listener);
        resolve(reply.result);
      };
      socket.addEventListener('message', listener);
      socket.send(JSON.stringify({ id, method }));
    });
  };
  await call('HeapProfiler.enable');
  // What the first collection finalizes only the second one frees.
  await call('HeapProfiler.collectGarbage');
  await call('HeapProfiler.collectGarbage');
  const usage = await call('Runtime.getHeapUsage');
  socket.close();
  return usage?.usedSize ?? NaN;
}
