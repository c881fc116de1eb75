/** The deeds of a person, as calls of the sandbox's control API. */
let toastTimer;

/** Says something for a few seconds. */
export function toast(text) {
  const box = document.getElementById('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 6000);
}

/**
 * Calls the control API.
 * @param method GET, POST or DELETE
 * @param path what comes after `/sandbox/`
 * @param [body] JSON to send along
 * @returns the answer, or undefined after a refusal, whose reason is said on the page
 */
export async function call(method, path, body) {
  try {
    const response = await fetch(`/sandbox/${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    toast(answer.error ?? `The sandbox answered ${response.status}`);
  } catch {
    toast('The sandbox doesn’t answer. Is it still running?');
  }
  return undefined;
}

/** Has something become of a message: `status`, `fail`, `reply` or `dtmf`. @returns whether it did */
export async function act(message, action, input) {
  return (await call('POST', `messages/${message.msgId}/${action}`, input)) !== undefined;
}
