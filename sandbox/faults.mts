/**
 * Things that go wrong between a client and the gateway, on purpose. A fault is chosen when a request arrives,
 * by its number or a predicate; whether the batch was taken before it struck is part of its kind, and `commitDelay`
 * makes it late.
 */
import { checkFault } from './faults/plan.mts';
import type { FaultContext, FaultKind, FaultPlan } from './faults/plan.mts';
import type { JsonObject } from './types.mts';

export type { FaultContext, FaultKind, FaultPlan } from './faults/plan.mts';

interface Active {
  /** By which it is taken away again; counts from 1. */
  number: number;
  plan: FaultPlan;
  passed: number;
  struck: number;
}

export class Faults {
  private active: Active[] = [];

  private serial = 0;

  private readonly onChange: () => void;

  /** Faults that struck, by kind. */
  readonly struck: Partial<Record<FaultKind, number>> = {};

  /** @param onChange called when a fault was added, taken away, or struck */
  constructor(onChange: () => void = () => undefined) {
    this.onChange = onChange;
  }

  /**
   * Adds a fault; plans are asked in the order in which they were added.
   * @returns a function that takes it away again
   * @throws InputError for a kind or an option that doesn't exist, or options that don't go together
   */
  add(plan: FaultPlan): () => void {
    checkFault(plan);
    this.serial += 1;
    const number = this.serial;
    this.active.push({ number, plan, passed: 0, struck: 0 });
    this.onChange();
    return () => void this.remove(number);
  }

  /** Takes one fault away. @returns whether it was there */
  remove(number: number): boolean {
    const before = this.active.length;
    this.active = this.active.filter((one) => one.number !== number);
    this.onChange();
    return this.active.length < before;
  }

  /** Plans that are active by the number that `remove` takes, with how often each struck. */
  numbered(): Array<{ number: number; plan: Omit<FaultPlan, 'when'>; struck: number }> {
    return this.active.map(({ number, plan: { when: _when, ...plan }, struck }) => ({
      number,
      plan,
      struck,
    }));
  }

  /** Takes all faults away and forgets what struck. */
  clear(): void {
    this.active = [];
    for (const kind of Object.keys(this.struck)) delete this.struck[kind as FaultKind];
    this.onChange();
  }

  /** Plans that are active, with how often each struck. */
  list(): Array<Omit<FaultPlan, 'when'> & { struck: number }> {
    return this.active.map(({ plan: { when: _when, ...plan }, struck }) => ({ ...plan, struck }));
  }

  /** Chooses the fault for a request, or none. */
  choose(context: FaultContext): FaultPlan | undefined {
    for (const active of this.active) {
      const { plan } = active;
      if (!applies(plan, context)) continue;
      if (plan.times !== undefined && active.struck >= plan.times) continue;
      active.passed += 1;
      if (active.passed <= (plan.after ?? 0)) continue;
      active.struck += 1;
      this.struck[plan.kind] = (this.struck[plan.kind] ?? 0) + 1;
      this.onChange();
      return plan;
    }
    return undefined;
  }
}

function applies(plan: FaultPlan, { endpoint, items, body, record }: FaultContext): boolean {
  const endpoints = plan.endpoint === undefined ? ['sync', 'async'] : [plan.endpoint];
  if (!endpoints.includes(endpoint)) return false;
  const operations = Array.isArray(body) ? (body as Array<JsonObject | null>) : [];
  const spares = plan.sparesStatus ?? true;
  if (spares && operations.length > 0 && operations.every((one) => one?.type === 'status')) return false;
  return plan.when ? plan.when({ endpoint, items, body, record }) : true;
}
