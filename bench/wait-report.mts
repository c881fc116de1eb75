import type { Cpu } from './processor-time.mts';
import { medianCpu, total } from './processor-time.mts';
import { median } from './statistics.mts';
import type { WaitCost } from './waits.mts';

/** The costs of one wait, measured once or more often, as a line of text: medians, or from the least to the most. */
export function describeWait(costs: WaitCost[]): string {
  const [{ mode, messages, seconds }] = costs;
  const middle = (of: (cost: WaitCost) => number): number => median(costs.map(of));
  const range = (of: (cost: WaitCost) => number): string =>
    [...new Set([Math.min(...costs.map(of)), Math.max(...costs.map(of))])].join(' to ');
  const cpu = (of: (cost: WaitCost) => Cpu): string => {
    const each = costs.map((cost) => total(of(cost)).toFixed(1));
    const parts = Object.entries(medianCpu(costs.map(of))).map(([name, own]) => `${name} ${own.toFixed(1)}`);
    const details = [...(costs.length > 1 ? [each.join(', ')] : []), ...(parts.length > 1 ? parts : [])];
    return `${middle((cost) => total(of(cost))).toFixed(1)} s${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
  };
  return [
    `  ${mode.padEnd(7)} ${messages} over ${seconds} s: ended after ${middle(({ took }) => took).toFixed(1)} s`,
    `CPU ${middle(({ sendCpu }) => total(sendCpu)).toFixed(1)} s to send, ${cpu(({ waitCpu }) => waitCpu)} more to wait, ${cpu(({ waitNodeCpu }) => waitNodeCpu)} more with n8n's own Wait node`,
    `REST p50 ${range(({ p50 }) => Math.round(p50))} ms, p99 ${range(({ p99 }) => Math.round(p99))} ms (${range(({ sendP99 }) => Math.round(sendP99))} of the send alone), ${range(({ refused }) => refused)} refused`,
    `${range(({ callbacks }) => callbacks)} callbacks, ${range(({ statusRequests }) => statusRequests)} requests of any kind`,
    `${range(({ right }) => right)} of ${messages} right`,
    `peak ${range(({ peakBytes }) => Math.round(peakBytes / 2 ** 20))} MB`,
  ].join('; ');
}
