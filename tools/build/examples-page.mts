import type { NodeJson, WorkflowJson } from '../n8n-host/workflow.mts';

const NOTE = 'n8n-nodes-base.stickyNote';
const MAIN_NOTE = 'About This Workflow';

/** Whether an example is in the form that n8n's template library asks for, which a test holds it to. */
export const isTemplate = ({ nodes }: WorkflowJson): boolean =>
  nodes.some((node) => node.name === MAIN_NOTE && contentOf(node).includes('### Setup'));

/** Returns the page of examples, by file name: the words of their notes, and a picture of each canvas. */
export function examplesPage(examples: Record<string, WorkflowJson>): string {
  const sorted = Object.entries(examples).sort(([, a], [, b]) => a.name.localeCompare(b.name, 'en'));
  const templates = sorted.filter(([, workflow]) => isTemplate(workflow));
  return `${[
    '# Example workflows',
    'This page is generated from the workflows in the folder [`examples`](../examples) (`npm run build`); their pictures are made by `npm run pictures`. To import one, choose **⋯ → Import from file** in n8n.',
    "These have the form of n8n's [template library](https://n8n.io/workflows/): an overview with the set-up, and a note around each step:",
    templates.map(([file, { name }]) => `- [${name}](../examples/${file}.json)`).join('\n'),
    ...sorted.flatMap(section),
  ].join('\n\n')}\n`;
}

function section([file, workflow]: [string, WorkflowJson]): string[] {
  const notes = workflow.nodes.filter(({ type }) => type === NOTE);
  const main = notes.filter(({ name }) => name === MAIN_NOTE);
  const others = notes.filter(({ name }) => name !== MAIN_NOTE);
  return [
    `## ${workflow.name}`,
    ...main.map((note) => withoutTitle(contentOf(note))),
    `![The canvas of the example "${workflow.name}"](pictures/example-${file}.png)`,
    ...others.map((note) => contentOf(note).replace(/^#+ (.+)$/gm, '**$1.**')),
    `File: [\`${file}.json\`](../examples/${file}.json)`,
  ];
}

const contentOf = ({ parameters }: NodeJson): string => String(parameters.content).trim();

/** The title is that of the section already. */
const withoutTitle = (content: string): string => content.replace(/^#+ .+\n+/, '');
