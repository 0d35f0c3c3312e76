import { expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { typesToRefresh } from '../../../src/core/language/typesToRefresh';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const list = (name: string, ...choices: string[]) => ({
  input: { required: { [name]: [choices] } },
  output: ['MODEL'],
});
const catalog = Catalog.fromDefinitions({
  Loader: list('file', 'a.safetensors'),
  EmptyLoader: list('lora_name'),
  Sampler: list('sampler', 'euler'),
  LoadImage: { input: { required: { image: [['a.pt'], { image_upload: true }] } }, output: ['IMAGE'] },
});

it('refreshes each node type once that lists models or that the server lacks', () => {
  const classes = ['Loader', 'Sampler', 'Loader', 'EmptyLoader', 'Unknown', 'LoadImage'];
  const nodes = classes.map((class_type, id) => [id + 1, { class_type, inputs: {} }] as const);
  const doc = WorkflowDocument.of(JSON.stringify(Object.fromEntries(nodes)));
  expect(typesToRefresh(doc, catalog, 10)).toEqual(['Loader', 'EmptyLoader', 'Unknown']);
  expect(typesToRefresh(doc, catalog, 2)).toEqual(['Loader', 'EmptyLoader']);
});
