import { expect, it } from 'vitest';
import { imageInputs } from '../../../../src/core/language/navigation/imageInputs';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';

function named(data: unknown): string[] {
  const text = JSON.stringify(data);
  return imageInputs(WorkflowDocument.of(text)).map(({ offset, length, fileName, folder, text: value }) => {
    expect(text.slice(offset, offset + length)).toBe(value);
    return `${fileName} in ${folder}`;
  });
}

it('finds the image inputs of a prompt, including images in other folders of the server', () => {
  expect(
    named({
      '1': { class_type: 'LoadImage', inputs: { image: 'pets/cat.png' } },
      '2': { class_type: 'LoadImageMask', inputs: { image: 'cat.png [output]', channel: 'alpha' } },
      '3': { class_type: 'LoadAudio', inputs: { audio: 'song.flac' } },
      '4': { class_type: 'LoadImage', inputs: { image: ['1', 0] } },
    }),
  ).toEqual(['pets/cat.png in input', 'cat.png in output']);
});

it('finds those of a graph', () => {
  const node = { id: 1, type: 'LoadImage', inputs: [], outputs: [], widgets_values: ['cat.png', 'image'] };
  expect(named({ last_node_id: 1, version: 0.4, links: [], nodes: [node] })).toEqual(['cat.png in input']);
});
