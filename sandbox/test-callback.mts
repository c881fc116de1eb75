/** Callbacks that a person sends to try an address, with any content. */
import { isObject } from './checks.mts';
import type { Gateway } from './gateway.mts';
import { InputError } from './input-error.mts';
import { address, checked } from './input.mts';
import { isLoopbackHost } from './loopback.mts';
import type { CallbackPayload, CallbackRecord, JsonObject } from './types.mts';

/**
 * Sends a callback once, in the shape that the settings say.
 * @param input `url` on this machine, and `body`: any JSON object
 * @returns the record, with the answer
 * @throws InputError for an address elsewhere, or a body that is no object
 */
export async function tryCallback(gateway: Gateway, input: JsonObject): Promise<CallbackRecord> {
  const { body } = input;
  const url = checked(address, input.url, 'url');
  if (!isLoopbackHost(new URL(url).hostname)) {
    throw new InputError(
      'url has to be on this machine, such as http://127.0.0.1:5678/...: nothing else is contacted',
    );
  }
  if (!isObject(body)) throw new InputError('body has to be a JSON object');
  return await gateway.delivery.callbacks.try(url, body as unknown as CallbackPayload);
}
