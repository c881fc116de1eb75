import { CHECKS, PHASES } from '../../../nodes/MessagingGateway/sending/steps.ts';

it('the checks of a row stand in the order of their phases', () => {
  const order = CHECKS.map(({ phase }) => PHASES.indexOf(phase));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
