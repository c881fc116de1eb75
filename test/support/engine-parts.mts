/**
 * n8n's own parts that the engine harness puts together, loaded as CommonJS (as n8n loads them), so that there
 * is one copy of each in plain Node and under jest alike.
 */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as N8nCore from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';

process.env.N8N_LOG_LEVEL ??= 'silent';

const load = createRequire(import.meta.url);

// Parts of n8n that n8n-core brings along and this package doesn't list.
const loadFromCore = createRequire(load.resolve('n8n-core'));
// n8n's container of instances needs it, and n8n loads it first.
createRequire(loadFromCore.resolve('@n8n/di'))('reflect-metadata');

export const core = load('n8n-core') as typeof N8nCore;
export const workflow = load('n8n-workflow') as typeof N8nWorkflow;

/** How many times as fast as others the waits of the nodes pass in tests: half a minute is too long for each of them. */
const HASTE = 30;
const { sleep } = workflow;

/** Pauses that nobody can call off. */
const pauses = new Set<NodeJS.Timeout>();
let hasEnded = false;
Object.defineProperty(workflow, 'sleep', {
  value: async (milliseconds: number, signal?: AbortSignal) => {
    if (signal) return await sleep(milliseconds / HASTE, signal);
    await new Promise<void>((resolve) => {
      if (!hasEnded) pauses.add(setTimeout(resolve, milliseconds / HASTE));
    });
  },
});

// A watch outlives the test that began it. It pauses for ever once its file has ended, or it would keep the process.
if (typeof afterAll === 'function') {
  afterAll(() => {
    hasEnded = true;
    pauses.forEach((timer) => clearTimeout(timer));
  });
}

interface Container {
  get<T>(type: new (...given: never[]) => T): T;
  set(type: unknown, instance: unknown): void;
}

const loadFromWorkflow = createRequire(load.resolve('n8n-workflow'));
export const { Container } = loadFromCore('@n8n/di') as { Container: Container };

/** The luxon of n8n's expressions. */
export const { DateTime } = loadFromWorkflow('luxon') as { DateTime: { fromISO(text: string): object } };

/** What tells this n8n from others. */
const INSTANCE_ID = '5a6e5cbb0f2e4dbb8a1c6f6d7f9f0a3b5a6e5cbb0f2e4dbb8a1c6f6d7f9f0a3b';

// n8n's own settings object would read and write ~/.n8n.
Container.set(core.InstanceSettings, {
  instanceId: INSTANCE_ID,
  hmacSignatureSecret: 'test-signature-secret',
  instanceType: 'main',
  isWorker: false,
  // Only a name: without binary data nothing is written there.
  n8nFolder: join(tmpdir(), 'n8n-engine-harness'),
});

/** The engines that n8n has, for `describe.each`: `vm` lives in isolated-vm. */
export const EXPRESSION_ENGINES = ['legacy', 'vm'] as const;

interface EngineStatics {
  vmEvaluator?: { initialize(): Promise<void>; dispose(): Promise<void> };
}

interface ExpressionRuntime {
  IsolatedVmBridge: new (options: object) => object;
  ExpressionEvaluator: new (options: object) => NonNullable<EngineStatics['vmEvaluator']>;
}

/**
 * Chooses the engine that resolves expressions from now on, for the whole process: `vm` is n8n's default
 * (`N8N_EXPRESSION_ENGINE`), `legacy` the one before it. Call it between runs; end with `legacy`, which lets
 * go of the isolates.
 */
export async function useExpressionEngine(engine: (typeof EXPRESSION_ENGINES)[number]): Promise<void> {
  const { Expression } = workflow;
  await Expression.disposeExpressionEngine();
  Expression.setExpressionEngine(engine);
  if (engine === 'legacy') return;
  // What Expression.initExpressionEngine does with n8n's default settings; that function itself uses import(),
  // which jest doesn't allow.
  const { ExpressionEvaluator, IsolatedVmBridge } = loadFromWorkflow(
    '@n8n/expression-runtime',
  ) as ExpressionRuntime;
  const { expressionSandboxHooks } = loadFromWorkflow('./expression-sandboxing.js') as Record<
    string,
    unknown
  >;
  const logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
  const evaluator = new ExpressionEvaluator({
    createBridge: () =>
      new IsolatedVmBridge({ timeout: 5000, memoryLimit: 128, logger, compileCache: false }),
    maxCodeCacheSize: 1024,
    poolSize: 1,
    lazyAcquire: false,
    hooks: expressionSandboxHooks,
    logger,
  });
  await evaluator.initialize();
  (Expression as unknown as EngineStatics).vmEvaluator = evaluator;
}
