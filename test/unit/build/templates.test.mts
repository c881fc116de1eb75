/** The examples that have the form of n8n's template library, which takes none that holds something of its author's n8n. */
import { isTemplate } from '../../../tools/build/examples-page.mts';
import { readExamples } from '../../../tools/n8n-host/workflow.mts';

it('hold nothing of an n8n that they came from', async () => {
  const templates = Object.entries(await readExamples()).filter(([, example]) => isTemplate(example));
  expect(templates.length).toBeGreaterThan(5);
  for (const [file, { name: _, nodes, connections: __, ...more }] of templates) {
    expect([file, Object.keys(more).filter((key) => key !== 'settings')]).toEqual([file, []]);
    const ids = nodes.flatMap(({ credentials = {} }) => Object.values(credentials)).map(({ id }) => id);
    expect([file, ids.filter((id) => id !== '')]).toEqual([file, []]);
  }
});
