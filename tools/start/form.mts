import { until } from '../until.mts';

const STEP_LIMIT_MS = 30_000;

/** n8n leaves a request for a page without an answer while the execution runs. */
const limited = () => ({ signal: AbortSignal.timeout(STEP_LIMIT_MS) });

/** A page of a form as a visitor sees it. */
export interface FormPage {
  url: string;
  html: string;
}

/**
 * A visitor of an n8n form, over HTTP, who does what the page's own script does in a browser: submits the fields,
 * asks for the state of the execution, and goes to the next page when there is one.
 */
export class FormVisitor {
  private page: FormPage = { url: '', html: '' };

  private execution: string | undefined;

  /**
   * The execution that the first page started. It is in the address of the pages that follow; the newest in n8n's
   * list can be another one.
   * @throws Error before the first page was submitted
   */
  get executionId(): string {
    if (this.execution === undefined) throw new Error('The form has started no execution yet');
    return this.execution;
  }

  /** Opens the first page. @throws Error when n8n does not serve it */
  async open(url: string): Promise<FormPage> {
    const response = await fetch(url, limited());
    const html = await response.text();
    if (!response.ok) throw new Error(`The form at ${url} answered ${response.status}`);
    this.page = { url, html };
    return this.page;
  }

  /**
   * Submits the page with the values of its fields in their order, and opens the page that comes next.
   * @throws Error when n8n refuses the values, or the workflow fails or shows no page in time
   */
  async submit(...values: string[]): Promise<FormPage> {
    const body = new FormData();
    values.forEach((value, i) => body.append(`field-${i}`, value));
    const response = await fetch(this.page.url, { method: 'POST', body, ...limited() });
    const text = await response.text();
    if (!response.ok) throw new Error(`The form answered ${response.status}: ${text.slice(0, 200)}`);
    const waitingUrl = waitingUrlIn(text) ?? this.page.url;
    this.execution = /\/form-waiting\/(\d+)/.exec(waitingUrl)?.[1];
    await untilPage(waitingUrl);
    return await this.open(waitingUrl);
  }

  /** Leaves the last page, as its script does by itself, so that the execution comes to its end. */
  async leave(): Promise<void> {
    await (await fetch(this.page.url, { method: 'POST', ...limited() })).text();
  }
}

/** The address of the waiting execution, which the answer to the first page carries. */
function waitingUrlIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { formWaitingUrl?: string }).formWaitingUrl;
  } catch {
    // Later pages answer with no JSON and stay at the same address.
    return undefined;
  }
}

async function untilPage(waitingUrl: string): Promise<void> {
  const url = new URL(waitingUrl);
  url.pathname += '/n8n-execution-status';
  await until(STEP_LIMIT_MS, 'the next page of the form', async () => {
    const status = (await (await fetch(url, limited())).text()).trim();
    if (status === 'form-waiting') return true;
    if (['new', 'running', 'waiting'].includes(status)) return undefined;
    throw new Error(`The workflow of the form ended: ${status}`);
  });
}
