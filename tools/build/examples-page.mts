import type { GeneratedFile } from './generated-file.mts';

/** An example as far as the page shows it. */
export interface DocumentedExample {
  /** Name of its file, without `.json`. */
  file: string;
  workflow: {
    name: string;
    nodes: ReadonlyArray<{ name: string; type: string; parameters: Record<string, unknown> }>;
  };
}

const NOTE = 'n8n-nodes-base.stickyNote';
const MAIN_NOTE = 'About This Workflow';

/** Returns the page of the examples: the words of their notes, and a picture of each canvas. */
export function examplesPage(examples: readonly DocumentedExample[]): GeneratedFile {
  const sections = [...examples]
    .sort((a, b) => a.workflow.name.localeCompare(b.workflow.name, 'en'))
    .flatMap(section);
  const text = [
    '# Example workflows',
    'This page is generated from the workflows in the folder [`examples`](../examples) (`npm run build`); their pictures are made by `npm run pictures`. To import one, choose **⋯ → Import from file** in n8n.',
    ...sections,
  ].join('\n\n');
  return { path: 'docs/examples.md', text: `${text}\n` };
}

function section({ file, workflow }: DocumentedExample): string[] {
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

const contentOf = ({ parameters }: { parameters: Record<string, unknown> }): string =>
  String(parameters.content).trim();

/** The title is that of the section already. */
const withoutTitle = (content: string): string => content.replace(/^#+ .+\n+/, '');
