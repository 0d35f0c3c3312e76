import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import { addToShape, emptyShape, type JsonShape, memberTexts } from '../../support/jsonShape';
import { smallGraph } from '../../support/graphFile';
import { sandboxForTest, submit } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, slow, through, worldWith, type Nodes } from './workflows';

/** What other programs read. It changes only with a reason, and never without a line in the changelog. */
const fixture = path.join(import.meta.dirname, 'published.txt');

/** A picture of our own, a text, a blocked branch, a message, and a node that the check leaves out. */
const workflow: Nodes = {
  ...picture,
  3: { class_type: 'PrimitiveString', inputs: { value: 'said' } },
  4: { class_type: 'PreviewAny', inputs: { source: ['3', 0] } },
  5: { class_type: 'KSampler', inputs: { seed: 7 } },
  6: { class_type: 'SandboxBlock', inputs: { value: ['1', 0], block: true, message: 'held back' } },
  7: { class_type: 'SaveImage', inputs: { images: ['6', 0], filename_prefix: 'held' } },
  8: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
  9: { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'mine' } },
  10: { class_type: 'PreviewImage', inputs: { images: ['8', 0] } },
};
const failing = through('SandboxFail', { how: 'OOMError' });
const partner: Nodes = {
  1: { class_type: 'SandboxPartnerImage', inputs: { prompt: 'a cat' } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'paid' } },
};

const files: Readonly<Record<string, unknown>> = {
  'w.json': workflow,
  'picture.json': picture,
  'failing.json': failing,
  'partner.json': partner,
  'slow.json': slow,
  'graph.json': smallGraph(),
  'wide.json': smallGraph(128),
  'lossy.json': { nodes: [{ id: 7, type: 'Gone', widgets_values: [1] }], links: [], version: 0.4 },
  'wrong.json': { 1: { class_type: 'EmptyImage', inputs: { width: 'wide' } } },
  'list.json': [1],
  'w.batch.json': { format: 1, workflow: 'picture.json', set: { '1.color': [1, 2] } },
};

/** Commands, how they ended, and the shape of what they printed, by command and event. */
class Transcript {
  readonly lines: string[] = [];
  readonly #shapes = new Map<string, JsonShape>();
  readonly #replaced: [text: string, name: string][] = [];

  constructor(readonly world: CliWorld) {}

  /** A text that differs at each run, and what stands for it in the transcript. */
  name(name: string, text: string): string {
    this.#replaced.unshift([text, name]);
    return text;
  }

  async call(line: string, ...more: string[]): Promise<void> {
    const { world } = this;
    [world.out, world.err] = ['', ''];
    const args = [...line.split(' '), ...more].map((arg) => this.#meant(arg));
    const code = await world.run(...args);
    this.#note([...line.split(' '), ...more], code);
  }

  /** Begins a command that is ended by Ctrl-C once it has said these words. */
  async interrupt(words: string, line: string): Promise<void> {
    const { world } = this;
    [world.out, world.err] = ['', ''];
    const ended = world.run(...line.split(' ').map((arg) => this.#meant(arg)));
    await world.said(words);
    world.pressCtrlC();
    this.#note(line.split(' '), await ended);
  }

  addShape(title: string, value: Readonly<Record<string, unknown>>): void {
    const known = this.#shapes.get(title) ?? emptyShape();
    this.#shapes.set(title, known);
    addToShape(known, value);
  }

  shapeLines(open: readonly string[]): string[] {
    const sorted = [...this.#shapes].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.flatMap(([title, shape]) => [
      title,
      ...memberTexts(shape, open).map((member) => `  ${member}`),
    ]);
  }

  #meant(arg: string): string {
    const [text] = this.#replaced.find(([, name]) => name === arg) ?? [];
    return text ?? (/\.json$|\.png$|^out$|^kept$/.test(arg) ? this.world.path(arg) : arg);
  }

  #note(args: readonly string[], code: number): void {
    const isJson = args.includes('--json') || args.includes('--format');
    const [command = ''] = args;
    const printed = this.world.out.split('\n').filter((line) => line !== '');
    const objects = isJson ? printed.map((line) => JSON.parse(line) as Record<string, unknown>) : [];
    let ending = '';
    for (const object of objects) {
      const event = typeof object['event'] === 'string' ? object['event'] : undefined;
      const { outcome } = object;
      if (event === 'end') ending = ` ${String(outcome)}`;
      this.addShape(event === undefined ? command : `${command}: ${event}`, object);
    }
    this.lines.push(`${String(code)}${ending}  comfy-deck ${args.join(' ')}`);
  }
}

async function filesIn(world: CliWorld, start: string, end: string): Promise<string[]> {
  const names = (await world.names('out', end)).filter((name) => name.startsWith(start));
  return names.map((name) => world.path(`out/${name}`));
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}

it('what other programs build on is as it was: exit codes, --json and records', async () => {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  const world = await worldWith('', { KEY: 'a-key' });
  const told = new Transcript(world);
  told.name('SERVER', sandbox.url);
  await Promise.all(
    Object.entries(files).map(([name, content]) => writeFile(world.path(name), JSON.stringify(content))),
  );
  const data = new Uint8Array(12).fill(40);
  await writeFile(world.path('mine.png'), encode({ width: 2, height: 2, channels: 3, depth: 8, data }));
  await writeFile(world.path('definitions.json'), await (await fetch(`${sandbox.url}/object_info`)).text());
  const human = await sandboxForTest({ dialect: 'cloud', timing: 'human' });
  told.name('CLOUD', human.url);
  const on = ['--server', 'SERVER', '--out', 'out', '--json'];

  await told.call('run w.json', ...on, '--force', '--save-temporary');
  const [first = ''] = await filesIn(world, 'w', '.run.json');
  await told.call('run w.json', ...on);
  await told.call('run failing.json', ...on);
  await told.call('run list.json', ...on);
  await told.call('run', '--json');
  await told.call('run picture.json --json --server http://127.0.0.1:1');
  await told.interrupt('"name":"SandboxSlow"', 'run slow.json --server sandbox --out out --json');
  await told.call('run picture.json --server SERVER --out out --set 1.color=1,2 --json');
  await told.call('run picture.json --server SERVER --out out --set 1.color=1,2 --dry-run --json');

  const [output = ''] = await filesIn(world, 'picture', '.png');
  told.name('RECORD', first);
  told.name('OUTPUT', output);
  await told.call('show RECORD --json');
  await told.call('show OUTPUT --json');
  await told.call('show list.json --out out --json');
  await told.call('rerun RECORD', ...on, '--force');
  await told.call('rerun --lost', ...on);
  await told.call('rerun list.json', ...on);

  await told.call('batch w.batch.json --servers SERVER --out out --dry-run --json');
  await told.call('batch w.batch.json --servers SERVER --out out --json');
  await told.call('batch w.batch.json --servers SERVER --out out --resume --json');
  await told.call('batch list.json --servers SERVER --out out --json');

  for (const [kind, end] of [
    ['run', '.run.json'],
    ['batch', '.batch-run.json'],
  ] as const) {
    for (const file of await filesIn(world, '', end)) {
      const record = await readJson(file);
      told.addShape(`${kind} record, format ${String(record['format'])}`, record);
    }
  }

  const submitted = { ...(await readJson(first)), state: 'submitted', files: [], expected: [] };
  await writeFile(first, JSON.stringify(submitted));
  await told.call('jobs --out out --json');
  await told.call('jobs --lost --out out --json');
  await told.call('jobs', ...on);
  await told.call('fetch RECORD --out out --json');
  await told.call('fetch no-such-job --out out --json');
  await writeFile(first, JSON.stringify(submitted));
  await told.call('wait RECORD --out out --json');
  await told.call('cancel RECORD --out out --json');
  await writeFile(first, JSON.stringify(submitted));
  await told.call('forget RECORD --out out --json');
  await told.call('forget RECORD --out out --json');

  await told.call('run partner.json --server CLOUD --out out --spend yes --json');
  told.name('RUNNING', await submit(human.url, slow));
  await told.call('jobs --server CLOUD --out out --json');
  await told.call('fetch RUNNING --server CLOUD --out out --json');
  await told.call('cancel RUNNING --server CLOUD --out out --yes --json');

  await told.call('upload mine.png --server SERVER --json');
  await told.call('upload none.png --server SERVER --json');
  await told.call('validate picture.json graph.json --definitions definitions.json --format json');
  await told.call('validate wrong.json list.json --server SERVER --format json');
  await told.call('validate wrong.json --format json');
  await told.call('test picture.json --server SERVER --expected kept --json');
  await told.call('test picture.json --server SERVER --expected kept --update --json');
  await told.call('test picture.json --server SERVER --expected kept --json');
  await told.call('test list.json --server SERVER --json');
  await told.call('music calm --server sandbox --duration 1 --out out --json');
  await told.call('music calm --duration 0 --json');
  await told.call('convert graph.json lossy.json list.json --definitions definitions.json --json');
  await told.call('convert graph.json --definitions definitions.json --json');
  await told.call('convert graph.json --json');
  await told.call('graph graph.json --definitions definitions.json --json');
  await told.call('graph list.json --json');
  await told.call('diff graph.json graph.json --json');
  await told.call('diff graph.json wide.json --json');
  await told.call('diff graph.json list.json --json');

  for (const line of ['extract OUTPUT', 'extract list.json', 'print graph.json', 'print none.json'])
    await told.call(line);
  for (const line of ['review', 'git-setup', 'completion bash', 'completion', '--help', '--version', 'fly'])
    await told.call(line);
  await told.interrupt('Press Ctrl+C', 'sandbox --port 0');
  await told.call('sandbox --port none');

  const text = [
    '# Exit codes, and how --json says that a command ended',
    ...told.lines,
    '',
    '# Members of --json by command and event, and of records; … is as in the workflow, ? is not always there',
    ...told.shapeLines(['prompt', 'workflow']),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(fixture);
});
