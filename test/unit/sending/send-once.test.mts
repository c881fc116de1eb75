/** The id that a key and a number stand for. */
import { sendOnceId } from '../../../nodes/MessagingGateway/sending/send-once.ts';

// Computed with Python: int(hashlib.sha256(f"{key.strip()}\n{number}".encode()).hexdigest()[:16], 16) >> 11
it.each([
  ['1001-shipped', 380501234567, 4341055739646830],
  ['  1001-shipped \n', 380501234567, 4341055739646830],
  ['1001-shipped', 380501234568, 3169904727337564],
  ['Замовлення №7', 447700900001, 67641727534059],
  ['a\nb', 48123456789, 5360761641175786],
])('the id of the key %j to %i is %i, today and for ever', (key, phone, id) => {
  expect(sendOnceId(key, phone)).toBe(id);
  expect(Number.isSafeInteger(id)).toBe(true);
});
