/** What the package adds to n8n's start and to its editor, beside n8n's own nodes for messages. */
import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { NODE, ROOT } from '../tools/paths.mts';
import { packed, unpack } from '../tools/package.mts';
import { mustRun } from '../tools/run-command.mts';
import { median } from './statistics.mts';

/** Where n8n's packages are found. */
export const N8N_FOLDER = realpathSync(join(ROOT, 'tools', 'n8n', 'node_modules', 'n8n'));

interface Cost {
  milliseconds: number;
  megabytes: number;
}

export interface LoadCost {
  nodeType: string;
  /** When n8n starts, in processor time; nothing for its own nodes, whose descriptions it reads in one piece. */
  start: Cost;
  /** When the first workflow uses the node. */
  firstUse: Cost;
  /** Of the description that each session of the editor downloads, all versions of the node together. */
  bytes: number;
}

const COMPARED = ['messagingGateway', 'messagingGatewayTrigger', 'twilio', 'telegram', 'whatsApp', 'slack'];
const TARGET = { milliseconds: 20, megabytes: 5, comparedWith: 'telegram' };

/** Measures each node in fresh processes; takes how often, the median counts. Takes the packed package. */
export async function benchLoad(repeat: number): Promise<LoadCost[]> {
  const base = join(N8N_FOLDER, '..', 'n8n-nodes-base');
  // Where nothing is beside it, so that it finds what n8n provides, as where n8n installs it.
  const unpacked = join(tmpdir(), 'messaging-gateway-load');
  await unpack(await packed(), unpacked);
  const costs: LoadCost[] = [];
  for (const nodeType of COMPARED) {
    const folder = nodeType.startsWith('messagingGateway') ? unpacked : realpathSync(base);
    const runs: LoadCost[] = [];
    for (let run = 0; run < repeat; run++) {
      const script = join('bench', 'load-cost.mts');
      const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--expose-gc'];
      const output = await mustRun(NODE, [...flags, script, folder, nodeType], {
        NODE_PATH: dirname(N8N_FOLDER),
      });
      runs.push(JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadCost);
    }
    const middle = (part: 'start' | 'firstUse'): Cost => ({
      milliseconds: median(runs.map((run) => run[part].milliseconds)),
      megabytes: median(runs.map((run) => run[part].megabytes)),
    });
    costs.push({ nodeType, start: middle('start'), firstUse: middle('firstUse'), bytes: runs[0].bytes });
  }
  await rm(unpacked, { recursive: true });
  return costs;
}

const cell = ({ milliseconds, megabytes }: Cost) =>
  `${milliseconds.toFixed(1)} ms, ${megabytes.toFixed(2)} MB`;

/** The table of the report, and whether the targets are met. */
export function describeLoad(costs: LoadCost[]): string {
  const [action] = costs;
  const compared = costs.find(({ nodeType }) => nodeType === TARGET.comparedWith);
  const met = [
    action.start.milliseconds < TARGET.milliseconds,
    action.start.megabytes < TARGET.megabytes,
    action.bytes <= (compared?.bytes ?? 0),
  ];
  return [
    '| Node | n8n starts | First use | Description |',
    '|---|---|---|---|',
    ...costs.map(
      ({ nodeType, start, firstUse, bytes }) =>
        `| ${nodeType} | ${cell(start)} | ${cell(firstUse)} | ${(bytes / 1000).toFixed(1)} KB |`,
    ),
    `Start below ${TARGET.milliseconds} ms: ${met[0]}; below ${TARGET.megabytes} MB: ${met[1]}; description not above ${TARGET.comparedWith}'s: ${met[2]}`,
  ].join('\n');
}
