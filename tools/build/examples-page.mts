import type { NodeJson, WorkflowJson } from '../n8n-host/workflow.mts';

const MAIN_NOTE = 'About This Workflow';

/** Whether an example is in the form that n8n's template library asks for, which a test holds it to. */
export const isTemplate = ({ nodes }: WorkflowJson): boolean =>
  nodes.some((node) => node.name === MAIN_NOTE && contentOf(node).includes('### Setup'));

/** Returns the page of examples, by file name: for each, what it does and a picture of its canvas. */
export function examplesPage(examples: Record<string, WorkflowJson>): string {
  const sorted = Object.entries(examples).sort(([, a], [, b]) => a.name.localeCompare(b.name, 'en'));
  return `${[
    '# Example workflows',
    'To import a workflow, choose **⋯ → Import → From file** in the editor. The note on its canvas says what to set before the first run.',
    "The build (`npm run build`) writes this page from the folder [`examples`](../examples); `npm run pictures` takes the pictures. Workflows with a star have the form of n8n's [template library](https://n8n.io/workflows/).",
    ...sorted.flatMap(section),
  ].join('\n\n')}\n`;
}

function section([file, workflow]: [string, WorkflowJson]): string[] {
  const main = workflow.nodes.find(({ name }) => name === MAIN_NOTE);
  return [
    `## ${workflow.name}`,
    ...(main === undefined ? [] : purposeOf(contentOf(main))),
    `![The canvas of the example "${workflow.name}"](pictures/example-${file}.png)`,
    `File: [\`${file}.json\`](../examples/${file}.json)${isTemplate(workflow) ? ' ★' : ''}`,
  ];
}

export const contentOf = ({ parameters }: NodeJson): string => String(parameters.content).trim();

/** The paragraphs of a note before its set-up, without headings: the title is that of the section already. */
function purposeOf(content: string): string[] {
  const [purpose] = content.split(/^(?:### Setup|\*\*(?:Before you run|To try) it)/m);
  return purpose
    .replaceAll(/^#+ .+\n/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}
