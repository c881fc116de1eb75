/** The surroundings of one-time passwords: processes of n8n and the store that they share, on a virtual clock. */
import type * as Challenges from '../../../nodes/gateway/otp/challenge.ts';
import type * as Attempts from '../../../nodes/MessagingGateway/otp/verify-code.ts';
import type * as Limits from '../../../nodes/MessagingGateway/otp/limits.ts';
import type * as Sending from '../../../nodes/MessagingGateway/otp/send-code.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import { never, World } from '../simulation/outcome.mts';
import type { Stage } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import type { OtpScenario } from './scenario.mts';

/** One life of a process, from its start until it is killed. */
export interface Life {
  /** Counts lives, of all processes. */
  index: number;
  endedAt: number;
  sending: Pick<typeof Sending, 'overLimit'>;
  limits: typeof Limits;
  attempts: Pick<typeof Attempts, 'answerCode'>;
  challenges: Pick<typeof Challenges, 'compareCode'>;
  run: Run;
  /** Resolves when the process is killed. */
  killed: Promise<'lost'>;
  kill(): void;
}

/** n8n throws this where it has no store. */
const noStore = () => Object.assign(new Error('Workflow must be saved'), { code: 'ERR_ASSERTION' });

export class OtpWorld extends World<OtpScenario> {
  /** All lives, oldest first. */
  readonly lives: Life[] = [];

  /** Calls of the store that failed. */
  failures = 0;

  /** Calls of the store. */
  calls = 0;

  private names: ReadonlySet<string> = new Set();

  private last: Promise<unknown> = Promise.resolve();

  private readonly current: Life[] = [];

  constructor(stage: Stage<OtpScenario>) {
    super(stage, seeded(stage.scenario.seed, 11));
    for (let process = 0; process < stage.scenario.processes; process++) this.start(process);
  }

  /** The life that a process has at the moment. */
  life(process: number): Life {
    return this.current[process];
  }

  restart(process: number): void {
    this.trace(() => `process ${process} is killed and starts again`);
    this.current[process].kill();
    this.start(process);
  }

  private start(process: number): void {
    const modules = this.product.newProcess(this.clock);
    let resolve: (value: 'lost') => void;
    const life: Life = {
      index: this.lives.length,
      endedAt: Infinity,
      sending: modules.load('MessagingGateway/otp/send-code.ts') as typeof Sending,
      limits: modules.load('MessagingGateway/otp/limits.ts') as typeof Limits,
      attempts: modules.load('MessagingGateway/otp/verify-code.ts') as typeof Attempts,
      challenges: modules.load('gateway/otp/challenge.ts') as typeof Challenges,
      run: {
        context: {
          getWorkflow: () => ({ id: 'workflow' }),
          getNode: () => ({ id: 'node' }),
          helpers: {
            checkProcessedAndRecord: async (names: string[]) => await this.record(life, names),
            removeProcessed: async (names: string[]) => await this.remove(life, names),
          },
          logger: { warn: () => undefined },
        },
        definition: { effect: 'sends' },
        stopsAtErrors: false,
        items: [{ json: {} }],
        now: () => this.clock.now,
      } as unknown as Run,
      killed: new Promise<'lost'>((done) => {
        resolve = done;
      }),
      kill: () => {
        life.endedAt = this.clock.now;
        resolve('lost');
      },
    };
    this.lives.push(life);
    this.current[process] = life;
  }

  private async record(life: Life, names: string[]): Promise<{ new: string[] }> {
    const read = await this.call(life, (known) => new Set([...known, ...names]));
    return { new: names.filter((name) => !read.has(name)) };
  }

  private async remove(life: Life, names: string[]): Promise<void> {
    await this.call(life, (known) => new Set([...known].filter((name) => !names.includes(name))));
  }

  /** A call of n8n's store: it reads all names, returns them, and writes a moment later what it makes of them. */
  private async call(
    life: Life,
    change: (known: ReadonlySet<string>) => ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const { scenario, random } = this;
    if (life.endedAt < Infinity) return await never();
    if (!scenario.hasStore) throw noStore();
    this.calls += 1;
    const work = async () => {
      await this.pass();
      const read = this.names;
      await this.pass();
      const isFailing = random.chance(scenario.failsBefore);
      if (!isFailing) this.names = change(read);
      if (isFailing || random.chance(scenario.failsAfter)) {
        this.failures += 1;
        this.trace(() => `the store fails ${isFailing ? 'before' : 'after'} it writes`);
        throw new Error('The database is locked');
      }
      return read;
    };
    const answer = scenario.isSerial ? this.last.then(work, work) : work();
    this.last = answer.catch(() => undefined);
    return await Promise.race([answer, life.killed.then(never)]);
  }

  private async pass(): Promise<void> {
    const { storeMs } = this.scenario;
    if (storeMs > 0) await this.clock.sleep(this.random.between(0, storeMs));
  }
}
