import { link, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';

import { png, svg } from '../workflow/pictures/files';
import { folderWith, withoutNetwork as run } from './withoutNetwork';

const prompt = '{"1": {"class_type": "Number", "inputs": {"value": 18446744073709551615}}}';
const graph =
  '{"last_node_id": 1, "nodes": [{"id": 1, "type": "Number", "widgets_values": [2]}], "links": [], "version": 0.4}';

let file: (name: string) => string;
beforeEach(async () => {
  file = await folderWith();
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(file(name), content);
  return file(name);
}

describe('comfy-deck extract', () => {
  it('writes the graph in an image, or what the server ran', async () => {
    const both = await write('both.png', png({ prompt, workflow: graph }));
    const { code, out } = await run('extract', both);
    expect([code, JSON.parse(out)]).toEqual([0, JSON.parse(graph)]);
    const asPrompt = await run('extract', both, '--format', 'api', '--out', file('prompt.json'));
    expect(asPrompt).toMatchObject({ code: 0, out: '' });
    expect(await readFile(file('prompt.json'), 'utf8')).toContain('"value": 18446744073709551615');
  });

  it('never writes over the file that it reads', async () => {
    const image = await write('image.png', png({ prompt }));
    await link(image, file('same.png'));
    for (const [command, out] of [
      ['extract', image],
      ['extract', file('same.png')],
      ['graph', file('x/../image.png')],
    ] as const) {
      const { code, err } = await run(command, image, '--out', out);
      expect([code, err]).toEqual([1, `${out} would be replaced. Choose another file for the result.\n`]);
    }
    expect(await readFile(image)).toEqual(Buffer.from(png({ prompt })));
  });

  it('says which format is missing', async () => {
    const image = await write('prompt.png', png({ prompt }));
    expect((await run('extract', image)).out).toContain('"class_type": "Number"');
    const { code, err } = await run('extract', image, '--format', 'graph');
    expect([code, err]).toEqual([1, `${image} contains a workflow in API format, but no graph.\n`]);
  });

  it('writes the workflow in requests and results', async () => {
    const text = await write('text.json', JSON.stringify({ input: { workflow_json: prompt } }));
    expect((await run('extract', text)).out).toContain('18446744073709551615');
    const pnginfo = `{"extra_pnginfo": {"workflow": ${graph}}}`;
    const history = await write(
      'history.json',
      `{"a": {"prompt": [0, "a", ${prompt}, ${pnginfo}, []], "outputs": {}}}`,
    );
    expect(JSON.parse((await run('extract', history)).out)).toEqual(JSON.parse(graph));
    expect((await run('extract', history, '--format', 'api')).out).toContain('"class_type": "Number"');
  });

  it.each([
    ['an image without one', 'a.png', png({}), 'contains no workflow.'],
    ['an image with an ending of its own', 'a.svg', svg('{}'), 'contains no workflow.'],
    ['a file of another kind', 'a.gif', Buffer.from('GIF89a\0\xff', 'latin1'), 'contains no workflow.'],
    ['some other JSON', 'a.json', '{"a": 1}', 'not a ComfyUI workflow'],
    ['broken JSON', 'a.json', '{"a": ', 'not valid JSON'],
    ['Latin-1', 'a.json', Buffer.from('{"a": "é"}', 'latin1'), 'probably in Latin-1. Save it as UTF-8.'],
  ])('says why there is none in %s', async (_, name, content, words) => {
    const { code, out, err } = await run('extract', await write(name, content));
    expect([code, out]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    expect(err).toContain(file(name));
    expect(err).toContain(words);
  });
});

it('commands on an output read the workflow in it', async () => {
  const image = await write('image.png', png({ prompt: prompt.replace(/\d{5,}/, '3'), workflow: graph }));
  const known = ['--definitions', file('definitions.json')];
  expect(await run('validate', image, ...known)).toMatchObject({ code: 0, out: '' });
  expect((await run('convert', image, ...known)).out).toContain('"value": 2');
  expect((await run('print', image, ...known)).out).toBe('1: Number\n  value = 2\n');
  expect((await run('graph', image, ...known)).out).toContain('<svg');
  const other = await write('other.png', png({ prompt: prompt.replace(/\d{5,}/, '3') }));
  expect((await run('diff', image, other, ...known)).out).toContain('value: 2 → 3');
});
