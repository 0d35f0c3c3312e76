import { expect, it } from 'vitest';
import { imageInputs, mediaValueAt } from '../../../../src/core/language/navigation/imageInputs';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { catalog, marked } from '../sample';

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

it('finds the value at an offset that names a file to upload, also an empty one', () => {
  const at = (text: string): string => {
    const { doc, offset } = marked(text);
    const value = mediaValueAt(doc, offset, catalog);
    return value ? `${value.kind} ${doc.text.slice(value.offset, value.offset + value.length)}` : 'none';
  };
  expect(at('{"1": {"class_type": "Load", "inputs": {"image": "ca¦t.png"}}}')).toBe('image "cat.png"');
  expect(at('{"1": {"class_type": "Load", "inputs": {"image": "¦"}}}')).toBe('image ""');
  expect(at('{"1": {"class_type": "Load", "inputs": {"image": ["2¦", 0]}}}')).toBe('none');
  expect(at('{"1": {"class_type": "Save", "inputs": {"prefix": "¦"}}}')).toBe('none');
  expect(at('{"nodes": [{"id": 1, "type": "Load", "widgets_values": ["¦", "image"]}], "version": 0.4}')).toBe(
    'image ""',
  );
});
