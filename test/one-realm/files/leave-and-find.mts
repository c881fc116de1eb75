/** Leaves behind what a file of tests can, and finds nothing of it: the second file to run, in either order, would. */
import * as workflow from 'n8n-workflow';

import { state } from './state.mts';

export function leaveAndFind(): void {
  it('finds nothing that another file left', async () => {
    expect(Object.keys(globalThis)).not.toContain('left');
    expect(process.env).not.toHaveProperty('LEFT');
    expect(state).toEqual({ isNew: true });
    expect(workflow).not.toHaveProperty('left');
    expect(jest.isMockFunction(Date.now) || jest.isMockFunction(console.error)).toBe(false);
    expect(Date.now()).toBeGreaterThan(1);
    // Ends only by the clock of the machine.
    expect(await workflow.sleep(1)).toBeUndefined();
  });

  it('leaves behind what it can', () => {
    state.isNew = false;
    process.env.LEFT = 'left';
    Object.assign(globalThis, { left: true });
    Object.assign(workflow, { left: true });
    Object.defineProperty(workflow, 'sleep', { value: () => Promise.resolve('left') });
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    jest.spyOn(Date, 'now').mockReturnValue(1);
    jest.useFakeTimers();
    expect(state.isNew).toBe(false);
  });
}
