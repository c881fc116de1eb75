import { until } from '../until.mts';

const STEP_LIMIT_MS = 30_000;

/** n8n leaves a request for a page without an answer while the execution runs. */
const limited = () => ({ signal: AbortSignal.timeout(STEP_LIMIT_MS) });

/**
 * A visitor of an n8n form, over HTTP, who does what the page's own script does in a browser: submits the fields,
 * asks for the state of the execution, and goes to the next page when there is one.
 */
export class FormVisitor {
  private url = '';

  /**
   * The execution that the first page started. It is in the address of the pages that follow; the newest in n8n's
   * list can be another one.
   */
  executionId = '';

  /** Opens the first page; returns its HTML. @throws Error when n8n does not serve it */
  async open(url: string): Promise<string> {
    const response = await fetch(url, limited());
    const html = await response.text();
    if (!response.ok) throw new Error(`The form at ${url} answered ${response.status}`);
    this.url = url;
    return html;
  }

  /**
   * Submits the page with the values of its fields in their order, and opens the page that comes next; returns its HTML.
   * @throws Error when n8n refuses the values, or the workflow fails or shows no page in time
   */
  async submit(...values: string[]): Promise<string> {
    const body = new FormData();
    values.forEach((value, i) => body.append(`field-${i}`, value));
    const response = await fetch(this.url, { method: 'POST', body, ...limited() });
    const text = await response.text();
    if (!response.ok) throw new Error(`The form answered ${response.status}: ${text.slice(0, 200)}`);
    // The answer to the first page carries the address of the waiting execution; later pages stay there.
    const waitingUrl = /"formWaitingUrl":"([^"]+)"/.exec(text)?.[1] ?? this.url;
    this.executionId = /\/form-waiting\/(\d+)/.exec(waitingUrl)?.[1] ?? '';
    await untilPage(waitingUrl);
    return await this.open(waitingUrl);
  }

  /** Leaves the last page, as its script does by itself, so that the execution comes to its end. */
  async leave(): Promise<void> {
    await (await fetch(this.url, { method: 'POST', ...limited() })).text();
  }
}

async function untilPage(waitingUrl: string): Promise<void> {
  const url = new URL(waitingUrl);
  url.pathname += '/n8n-execution-status';
  await until('the next page of the form', async () => {
    const status = (await (await fetch(url, limited())).text()).trim();
    if (status === 'form-waiting') return true;
    if (['new', 'running', 'waiting'].includes(status)) return undefined;
    throw new Error(`The workflow of the form ended: ${status}`);
  });
}
