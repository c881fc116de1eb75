/** The ids that nobody has sent, beside messages in a question: how many, and where. */
import { controlPlaces, controlsFor, controlsIn } from '../../../nodes/gateway/client/controls.ts';

it.each([
  ['none where a request holds two ids at most', 2, 9, 0, 0],
  ['two with a single message', 500, 1, 0, 2],
  ['three where so many ids have not been answered before', 500, 2, 3, 3],
  ['two where as many have been', 500, 2, 4, 2],
  ['two in the smallest request that holds them', 3, 9, 0, 2],
  ['three in a request that is full', 10, 9, 9, 3],
])('there are %s', (_, room, messages, most, controls) => {
  expect(controlsIn(room, messages, most)).toBe(controls);
});

it('the first one is before all messages, and one of three after them all; in the opposite order, another one has other places', () => {
  expect([1, 2, 8].map((messages) => controlPlaces(3, messages, 0))).toEqual([
    [0, 1, 1],
    [0, 1, 2],
    [0, 7, 8],
  ]);
});

it('two are in other places from answer to answer', () => {
  expect([0, 1, 2].map((answers) => controlPlaces(2, 5, answers))).toEqual([
    [0, 3],
    [0, 5],
    [0, 3],
  ]);
  expect(controlPlaces(0, 1, 0)).toEqual([]);
});

it('the same question has the same, and another question others', () => {
  expect(controlsFor([1, 2])).toEqual(controlsFor([1, 2]));
  expect(new Set([...controlsFor([1, 2]), ...controlsFor([1, 3])]).size).toBe(6);
});
