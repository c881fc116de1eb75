interface Event {
  time: number;
  happen(): void;
}

const MAX_EVENTS = 1_000_000;

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
  after(milliseconds: number, happen: () => void): void {
    this.push({ time: this.now + Math.max(0, milliseconds), happen });
  }

  async sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => this.after(milliseconds, resolve));
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
    if (++this.happened > MAX_EVENTS) throw new Error(`More than ${MAX_EVENTS} events`);
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

/**
 * Returns a controller whose signal forgets no listener. Node keeps a listener with the option `signal`, and all that it holds, until
 * that signal aborts or is collected: a killed process aborts none, and 50 KB of each scenario stayed.
 */
export function plainController(): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
    add(type, listener);
  return controller;
}
