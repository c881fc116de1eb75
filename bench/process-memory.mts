import { existsSync, readFileSync } from 'node:fs';

interface Sample {
  /** Milliseconds since 1970, as n8n counts in its run data. */
  at: number;
  bytes: number;
}

const INTERVAL_MS = 20;

/** Watches how much memory another process holds (its resident set), on Linux; elsewhere it sees nothing. */
export class ProcessMemory {
  private readonly file: string;

  private samples: Sample[] = [];

  private timer: NodeJS.Timeout | undefined;

  /** @param pid the process that is watched */
  constructor(pid: number) {
    this.file = `/proc/${pid}/status`;
  }

  start(): void {
    this.samples = [];
    if (!existsSync(this.file)) return;
    this.take();
    this.timer = setInterval(() => this.take(), INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Bytes at the beginning of a time and the most in it; undefined where there is no sample. */
  between(start: number, end: number): { start: number; peak: number } | undefined {
    const before = this.samples.findLast(({ at }) => at <= start);
    const inside = this.samples.filter(({ at }) => at > start && at <= end + INTERVAL_MS);
    const all = before ? [before, ...inside] : inside;
    if (all.length === 0) return undefined;
    return { start: all[0].bytes, peak: Math.max(...all.map(({ bytes }) => bytes)) };
  }

  /** The most bytes since the start of the watch. */
  peak(): number | undefined {
    if (this.samples.length === 0) return undefined;
    return this.samples.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  }

  private take(): void {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(this.file, 'utf8'));
    if (line) this.samples.push({ at: Date.now(), bytes: Number(line[1]) * 1024 });
  }
}
