import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode, encode } from 'fast-png';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { convertToApi } from '../../../../src/core/language/edits/convertToApi';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { encodePng } from '../../../../src/sandbox/drawing/picture';
import { plainPicture } from '../../../../src/sandbox/drawing/picture';
import { sandboxDefinitions } from '../../../../src/sandbox/nodes/nodeSet';
import { FileStore, type StoredFile } from '../../../../src/sandbox/files/fileStore';
import type { PromptNodes } from '../../../../src/sandbox/nodes/sandboxNode';
import { failure, node, redPicture, tryRun } from '../tryRun';

const folder = path.resolve('samples');
const samples = readdirSync(folder).filter((name) => name.endsWith('.json'));

const definitions = sandboxDefinitions(readdirSync(path.join(folder, 'inputs')));

/** The pictures that the samples load, or others of a few pixels, which are made faster. */
function inputFiles(small = false): FileStore {
  const files = new FileStore();
  for (const filename of readdirSync(path.join(folder, 'inputs'))) {
    const plain = encodePng(plainPicture(16, 16, [9, 99, 199]));
    const bytes = small ? plain : readFileSync(path.join(folder, 'inputs', filename));
    files.write({ filename, subfolder: '', type: 'input' }, bytes);
  }
  return files;
}

/** What is sent of a workflow file. */
function promptOf(text: string): string {
  const converted = convertToApi(WorkflowDocument.of(text), Catalog.fromDefinitions(definitions));
  return converted?.kind === 'converted' ? converted.text : text;
}

describe('the samples', () => {
  it('include one in the graph format', () => {
    const texts = samples.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    expect(texts.filter((text) => promptOf(text) !== text)).toHaveLength(1);
  });

  it.each(samples)('%s runs', async (name) => {
    const prompt = JSON.parse(promptOf(readFileSync(path.join(folder, name), 'utf8'))) as PromptNodes;
    const { result } = await tryRun(prompt, { files: inputFiles(), partnerKey: 'test-key' });
    expect(result.status).toBe('success');
    expect(Object.keys(result.outputs).length).toBeGreaterThan(0);
  });

  it.each(['text-to-image', 'image-to-image', 'inpaint', 'upscale', 'blend-batch', 'video', 'music'])(
    '%s makes something else as soon as any value changes',
    async (name) => {
      const text = promptOf(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
      const small = text.replaceAll(/"(width|height)": ?\d+/g, '"$1": 32');
      const prompt = JSON.parse(small) as PromptNodes;
      const before = await made(prompt);
      for (const [id, { class_type, inputs }] of Object.entries(prompt)) {
        if (/^(Save|Preview)/.test(class_type)) continue;
        for (const [input, value] of Object.entries(inputs)) {
          if (Array.isArray(value) || input === 'image' || input === 'batch_size') continue;
          const changed = { ...inputs, [input]: typeof value === 'number' ? value + 8 : `${String(value)}x` };
          const after = await made({ ...prompt, [id]: node(class_type, changed) });
          expect(after, `${class_type}.${input}`).not.toEqual(before);
        }
      }
    },
  );

  it('show another picture that is uploaded under the same name, and its mask', async () => {
    const filename = 'coast.png';
    const prompt = {
      '1': node('LoadImage', { image: filename }),
      '2': node('MaskToImage', { mask: ['1', 1] }),
      '3': node('SaveImage', { images: ['1', 0], filename_prefix: 'picture' }),
      '4': node('SaveImage', { images: ['2', 0], filename_prefix: 'mask' }),
    };
    const files = new FileStore();
    const data = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 55);
    const bytes = encode({ width: 2, height: 1, channels: 4, depth: 8, data });
    files.write({ filename, subfolder: '', type: 'input' }, bytes);
    expect(await made(prompt, files)).toEqual(['010203040506', '000000c8c8c8']);
  });
});

/** The saved files without names and texts. */
async function made(prompt: PromptNodes, files = inputFiles(true)): Promise<readonly string[]> {
  const { result } = await tryRun(prompt, { files });
  expect(result.messages.at(-1)).toMatchObject(['execution_success', {}]);
  return Object.values(result.outputs).flatMap((record) =>
    Object.values(record)
      .flat()
      .filter((item) => typeof item === 'object')
      .map((item) => {
        const { filename, subfolder, type } = item as StoredFile;
        const bytes = files.read({ filename, subfolder, type }) ?? new Uint8Array();
        return Buffer.from(filename.endsWith('.png') ? decode(bytes).data : bytes).toString('hex');
      }),
  );
}

describe('a saved picture', () => {
  const file = { filename: 'a_00001_.png', subfolder: '', type: 'output' } as const;

  it("contains the prompt exactly as it was sent, and the editor's workflow", async () => {
    const prompt = { '1': redPicture, '2': node('SaveImage', { images: ['1', 0], filename_prefix: 'a' }) };
    const noted = JSON.stringify({ ...prompt, note: 'späť' });
    const promptText = noted.replace('"batch_size":1', '"batch_size": 1.0');
    const workflow = { id: '✓', widgets_values: [18446744073709551615n, 0.5] };
    const { files } = await tryRun(prompt, { promptText, extraPnginfo: { workflow } });
    const { text } = decode(files.read(file) ?? new Uint8Array());
    expect(text['prompt']).toContain('"batch_size": 1.0');
    expect(text['prompt']).toContain('sp\\u00e4\\u0165');
    expect(text['workflow']).toMatch(
      /^\{"id": ?"\\u2713", ?"widgets_values": ?\[18446744073709551615, ?0\.5\]\}$/,
    );
  });

  it('gets the next number, whatever the extension of the last one', async () => {
    const files = new FileStore();
    files.write({ filename: 'a_00041_.webp', subfolder: 'sub', type: 'output' }, new Uint8Array());
    const prompt = {
      '1': redPicture,
      '2': node('SaveImage', { images: ['1', 0], filename_prefix: 'sub/a' }),
    };
    const { result } = await tryRun(prompt, { files });
    const [saved] = result.outputs['2']?.['images'] ?? [];
    expect(saved).toMatchObject({ filename: 'a_00042_.png', subfolder: 'sub', type: 'output' });
    expect(saved).toHaveProperty('metadata', { kind: 'image', width: 16, height: 8 });
  });
});

const huge = { width: 16384, height: 16384, batch_size: 64, color: 0 };

it.each([
  [
    'a partner node without a key',
    node('OpenAIDalle3', { prompt: 'a lantern' }),
    /^Unauthorized: Please login/,
  ],
  ['a picture too large for any machine', node('EmptyImage', huge), /^Allocation on device/],
])('%s fails with the message of the real server', async (_, source, message) => {
  const tried = await tryRun({ '1': source, '2': node('PreviewImage', { images: ['1', 0] }) });
  expect(failure(tried)['exception_message']).toMatch(message);
});
