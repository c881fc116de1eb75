/**
 * The examples that have the form of n8n's template library, by its guidelines for templates and their sticky notes: a title
 * that says what is done, by or in what; one yellow overview at the top left, white notes around the steps.
 */
import { isTemplate } from '../../../tools/build/examples-page.mts';
import { readExamples } from '../../../tools/n8n-host/workflow.mts';
import type { NodeJson, WorkflowJson } from '../../../tools/n8n-host/workflow.mts';
import { PACKAGE_NAME } from '../../../tools/paths.mts';

const YELLOW = 1;
const WHITE = 7;
/** Of the editor: the square of a node, the label below it, and the line height and width of a note's letters. */
const NODE = 96;
const LABEL = 40;
const LINE = 21;
const LETTER = 7;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const isNote = ({ type }: NodeJson) => type.endsWith('.stickyNote');
const contentOf = ({ parameters }: NodeJson) => String(parameters.content);
const namesOf = (nodes: NodeJson[]) => nodes.map(({ name }) => name);
const words = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

function boxOf({ position, parameters, type }: NodeJson): Box {
  const [left, top] = position as [number, number];
  const isAgent = type.endsWith('.agent');
  const { width = isAgent ? 256 : NODE, height = NODE + LABEL } = parameters as Record<
    'width' | 'height',
    number
  >;
  return { left, top, right: left + width, bottom: top + height };
}

/** Where the text of a note ends: each heading and paragraph is lines of about so many letters, and a gap. */
function endOfText(note: NodeJson): number {
  const { left, top, right } = boxOf(note);
  const perLine = Math.floor((right - left - 40) / LETTER);
  const parts = contentOf(note).split('\n').filter(Boolean);
  return top + 16 + parts.reduce((sum, part) => sum + Math.ceil(part.length / perLine) * LINE + 10, 0);
}

const holds = (outer: Box, inner: Box) =>
  outer.left < inner.left &&
  outer.top < inner.top &&
  outer.right > inner.right &&
  outer.bottom > inner.bottom;
const overlap = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const templates: Array<[string, WorkflowJson]> = [];
beforeAll(async () => {
  templates.push(...Object.entries(await readExamples()).filter(([, example]) => isTemplate(example)));
});

/** Runs a check on every template, and names those that fail it. */
const each = (check: (workflow: WorkflowJson, notes: NodeJson[], nodes: NodeJson[]) => unknown) =>
  templates.map(([file, workflow]) => {
    const nodes = workflow.nodes.filter((node) => !isNote(node));
    return [file, check(workflow, workflow.nodes.filter(isNote), nodes)];
  });
const all = (value: unknown) => templates.map(([file]) => [file, value]);

it('are twelve, and found by what people search for', () => {
  const names = templates.map(([, { name }]) => name);
  expect(names).toHaveLength(12);
  expect(names).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/appointment reminders by SMS, then by a voice call/),
      expect.stringMatching(/^Verify a phone number in a form/),
      expect.stringMatching(/AI agent that remembers each person$/),
    ]),
  );
  for (const name of names) {
    expect(name).toMatch(
      /^(Answer|Approve|Ask|Chase|Combine|Remind|Send|Verify) [A-Za-z].* (after|by|from|in|into|with) /,
    );
    expect(name.length).toBeLessThanOrEqual(70);
  }
});

it('have an overview at the top left, of 100 to 300 words, with how it works and a set-up in three steps', () => {
  const seen = each(({ name, nodes }, notes) => {
    const [main, ...others] = notes.filter(({ parameters }) => parameters.color === YELLOW);
    const text = contentOf(main);
    const { left, top } = boxOf(main);
    const setup = text.slice(text.indexOf('### Setup'), text.indexOf('### Customize'));
    return {
      others: others.length,
      isTopLeft: nodes.map(boxOf).every((box) => left <= box.left && top <= box.top),
      isTitled: text.startsWith(`## ${name}\n`),
      length: words(text) >= 100 && words(text) <= 300,
      explains: text.includes('### How it works'),
      steps: setup.match(/^\d\./gm),
      disclaims: setup.includes(`\`${PACKAGE_NAME}\``) && setup.includes('self-hosted n8n only'),
    };
  });
  const wanted = { others: 0, isTopLeft: true, isTitled: true, length: true, explains: true };
  expect(seen).toEqual(all({ ...wanted, steps: ['1.', '2.', '3.'], disclaims: true }));
});

it('have a white note of less than 50 words around every node, and no node on words', () => {
  const seen = each((_, notes, nodes) => {
    const steps = notes.filter(({ parameters }) => parameters.color === WHITE);
    return {
      others: notes.length - steps.length - 1,
      long: steps.map(contentOf).filter((text) => words(text) >= 50),
      outside: namesOf(
        nodes.filter((node) => steps.filter((step) => holds(boxOf(step), boxOf(node))).length !== 1),
      ),
      covered: notes
        .filter((note) =>
          [...nodes, ...notes].some(
            (other) => other !== note && overlap({ ...boxOf(note), bottom: endOfText(note) }, boxOf(other)),
          ),
        )
        .map(({ name }) => name),
      cut: notes.filter((note) => endOfText(note) > boxOf(note).bottom).map(({ name }) => name),
    };
  });
  expect(seen).toEqual(all({ others: 0, long: [], outside: [], covered: [], cut: [] }));
});

it('hold nothing of an n8n that they came from, and nodes with names of their own', () => {
  const seen = each((workflow, _, nodes) => ({
    more: Object.keys(workflow).filter((key) => !['name', 'nodes', 'connections', 'settings'].includes(key)),
    ids: nodes.flatMap(({ credentials = {} }) => Object.values(credentials)).filter(({ id }) => id !== ''),
    unnamed: nodes.filter(({ name }) => /^(Edit Fields|If|Switch|Code|HTTP Request|No Operation)/.test(name)),
  }));
  expect(seen).toEqual(all({ more: [], ids: [], unnamed: [] }));
});
