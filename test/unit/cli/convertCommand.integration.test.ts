import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { smallGraph } from '../../support/graphFile';
import { folderWith, withoutNetwork } from './withoutNetwork';
import { worldBeside } from './workflows';

const graphText =
  '{"nodes": [{"id": 1, "type": "Number", "widgets_values": [18446744073709551615]}], "links": [], "version": 0.4}';
const apiText = '{ "1": { "class_type": "Number", "inputs": { "value": 1.50 } } }';

let file: (name: string) => string;
beforeEach(async () => {
  file = await folderWith({ 'graph.json': graphText, 'api.json': apiText, 'other.json': '[1]' });
});

const convert = (...args: string[]) => withoutNetwork('convert', ...args);

describe('comfy-deck convert', () => {
  it('writes one line per file, with every digit, and says which files failed', async () => {
    const names = ['graph.json', 'api.json', 'other.json', 'missing.json'].map(file);
    const { code, out } = await convert('--json', '--definitions', file('definitions.json'), ...names);
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines[0]).toContain(
      '"prompt":{"1":{"inputs":{"value":18446744073709551615},"class_type":"Number"',
    );
    expect(lines[1]).toContain('"prompt":{"1":{"class_type":"Number","inputs":{"value":1.50}}}');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ file: names[2], error: { code: 'notAnObject' } });
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ file: names[3], error: { code: 'unreadable' } });
  });

  it('writes one prompt as text', async () => {
    const { code, out, err } = await convert('--definitions', file('definitions.json'), file('graph.json'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('"value": 18446744073709551615');
    expect(out.split('\n').length).toBeGreaterThan(5);
  });

  it('names the nodes that lose their values, and fails unless that is allowed', async () => {
    const lost = {
      id: 7,
      type: 'Gone',
      title: 'Far',
      outputs: [{ name: 'x', type: '*' }],
      widgets_values: [1],
    };
    await writeFile(file('lost.json'), JSON.stringify({ nodes: [lost], links: [], version: 0.4 }));
    const given = ['--definitions', file('definitions.json'), file('lost.json')];
    const { code, out, err } = await convert(...given);
    expect(code).toBe(1);
    expect(out).toContain('"class_type": "Gone"');
    expect(err).toContain('lost.json:1: Far (node 7) loses its values (1), because the server');
    expect(err).toContain('To accept that, add --allow-loss.');
    expect((await convert('--allow-loss', ...given)).code).toBe(0);
    const json = await convert('--json', ...given);
    expect(json.code).toBe(1);
    expect(json.err).toContain('Far (node 7) loses its values (1), because the server');
    expect(JSON.parse(json.out)).toMatchObject({ warnings: [{ code: 'values-lost', node: '7', line: 1 }] });
  });

  it('lists what is not sent, with the rule that explains it', async () => {
    const muted = { id: 3, type: 'Number', mode: 2, widgets_values: [7] };
    await writeFile(file('muted.json'), JSON.stringify({ nodes: [muted], links: [], version: 0.4 }));
    const given = ['--definitions', file('definitions.json'), file('muted.json')];
    const { code, out } = await convert('--json', ...given);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      unsent: [{ what: 'value', node: '3', rule: 'inactive', line: 1 }],
    });
  });

  it.each([
    [['graph.json'], 'definitions'],
    [['--definitions', 'definitions.json'], 'workflow files'],
    [['--definitions', 'definitions.json', 'graph.json', 'api.json'], '--json'],
    [
      ['--definitions', 'definitions.json', '--dynamic-prompts', 'all', 'graph.json'],
      'one of keep, first, random',
    ],
    [['--definitions', 'other.json', 'graph.json'], 'no node definitions'],
  ])('refuses %s', async (args, message) => {
    const { code, err } = await convert(...args.map((each) => (each.endsWith('.json') ? file(each) : each)));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

it('comfy-deck convert gets the node definitions from a server, with the key if it requires one', async () => {
  const { url, world } = await worldBeside({ apiKey: 'a-key-of-the-test' }, smallGraph(), {
    COMFY_KEY: 'a-key-of-the-test',
  });
  const line = ['convert', world.path('w.json'), '--server', url, '--key-env', 'COMFY_KEY'];
  expect(await world.run(...line), world.err).toBe(0);
  expect(JSON.parse(world.out)).toMatchObject({
    '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
  });
});
