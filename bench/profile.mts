import { Session } from 'node:inspector/promises';

/** Microseconds between two looks at what the process does. */
const INTERVAL = 200;

/** Where the time of a run went, in milliseconds. Looking at it makes the run slower. */
export type Spent = Record<(typeof AREAS)[number]['area'] | 'other', number>;

interface Frame {
  functionName: string;
  url: string;
}

const OWN = /\/dist\/nodes\//;
const PREPARES = /\/dist\/nodes\/.*\/(prepare|hooks)\.js$/;

/** From the innermost frame outwards, the first area that knows a frame gets the time. */
const AREAS = [
  { area: 'waiting for the gateway', knows: ({ functionName }: Frame) => functionName === '(idle)' },
  { area: 'garbage collection', knows: ({ functionName }: Frame) => functionName === '(garbage collector)' },
  {
    area: "n8n's request helper and sockets",
    knows: ({ url }: Frame) => /axios|backend-network|request-helpers|^node:(_http|net|internal\/stream)/.test(url),
  },
  {
    area: 'the node: reading and checking items',
    knows: ({ url }: Frame, callers: Frame[]) => OWN.test(url) && callers.some((caller) => PREPARES.test(caller.url)),
  },
  { area: 'the node: answers, journal and output', knows: ({ url }: Frame) => OWN.test(url) },
  { area: "n8n's engine", knows: ({ url }: Frame) => /n8n-core|n8n-workflow/.test(url) },
] as const;

/** Runs something several times under V8's sampling profiler; gives the milliseconds of one run by area. */
export async function profiled(run: () => Promise<unknown>, repeat: number): Promise<Spent> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  for (let i = 0; i < repeat; i++) await run();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();

  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const areas = new Map<number, keyof Spent>();
  const areaOf = (id: number): keyof Spent => {
    const stack: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = nodes.get(at)?.callFrame;
      if (frame) stack.push(frame);
    }
    for (const frame of stack) {
      const found = AREAS.find(({ knows }) => knows(frame, stack));
      if (found) return found.area;
    }
    return 'other';
  };
  const spent: Partial<Spent> = {};
  const { samples = [], timeDeltas = [] } = profile;
  samples.forEach((id, i) => {
    if (!areas.has(id)) areas.set(id, areaOf(id));
    const area = areas.get(id) ?? 'other';
    spent[area] = (spent[area] ?? 0) + timeDeltas[i] / 1000 / repeat;
  });
  return spent as Spent;
}
