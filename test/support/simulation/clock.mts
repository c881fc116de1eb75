interface Event {
  time: number;
  /** Whether it was called off. */
  isCancelled: boolean;
  happen(): void;
}

const MOST_EVENTS = 1_000_000;

/**
 * Virtual time: events in the order of their time, and of their scheduling where that is equal. Between two events the
 * code under test runs until it waits for another one, so that a run depends on nothing but its events.
 */
export class VirtualClock {
  /** Milliseconds since 1970, as they pass. */
  now: number;

  private happened = 0;

  /** What is still to happen, the last first. */
  private readonly events: Event[] = [];

  constructor(start: number) {
    this.now = start;
  }

  /** Schedules an event `milliseconds` from now. */
  after(milliseconds: number, happen: () => void): Event {
    const event = { time: this.now + Math.max(0, milliseconds), isCancelled: false, happen };
    this.push(event);
    return event;
  }

  /** n8n's `sleep`: rejects with the reason of the signal as soon as that is aborted. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(signal?.reason as Error);
      if (signal?.aborted) return fail();
      const onAbort = () => {
        event.isCancelled = true;
        fail();
      };
      const event = this.after(milliseconds, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /**
   * Lets time pass until the work is done and returns what it returns.
   * @throws Error when it waits for nothing, or has no end; what the work throws
   */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    for (;;) {
      await codeUnderTest();
      if (isDone) return await work;
      this.step();
    }
  }

  /** Lets all that is still to happen happen. */
  async finish(): Promise<void> {
    while (this.events.length > 0) {
      this.step();
      await codeUnderTest();
    }
  }

  private step(): void {
    const event = this.events.pop();
    if (!event) throw new Error('The code under test waits for what never happens');
    if (event.isCancelled) return;
    if (++this.happened > MOST_EVENTS) throw new Error(`More than ${MOST_EVENTS} events`);
    this.now = event.time;
    event.happen();
  }

  /** Puts an event behind those of its time. */
  private push(event: Event): void {
    const { events } = this;
    let low = 0;
    for (let high = events.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (events[middle].time > event.time) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
  }
}

/** Everything that is ready to run has run before an immediate comes. */
const codeUnderTest = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));
