import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { catalog, workflow } from '../check/checkTexts';
import { startSandbox } from '../../../src/sandbox/sandbox';
import { CliWorld } from './cliWorld';

interface Line {
  readonly file: string;
  readonly format: string;
  readonly verdict: { readonly valid: boolean } | null;
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

/** A folder with definitions and these files. */
async function worldWith(files: Readonly<Record<string, string>>): Promise<CliWorld> {
  const world = await CliWorld.open();
  const all = { 'definitions.json': catalog.toText(), ...files };
  await Promise.all(Object.entries(all).map(([name, text]) => writeFile(world.path(name), text)));
  return world;
}

function validate(world: CliWorld, names: readonly string[], ...options: string[]): Promise<number> {
  const files = names.map((name) => world.path(name));
  return world.run('validate', '--definitions', world.path('definitions.json'), ...options, ...files);
}

const linesOf = ({ events }: CliWorld) => events as unknown as Line[];

describe('comfy-deck validate --format json', () => {
  it('prints one line for each file, with verdict and diagnostics', async () => {
    const world = await worldWith({
      'good.json': workflow(),
      'bad.json': workflow({ steps: 0, scheduler: 'norml' }),
    });
    expect(await validate(world, ['good.json', 'bad.json'], '--format', 'json')).toBe(1);
    const [good, bad] = linesOf(world);
    expect(good).toEqual({
      file: world.path('good.json'),
      format: 'api',
      verdict: { valid: true, error: null, good_outputs: ['3'], node_errors: {} },
      diagnostics: [],
    });
    expect(bad?.verdict).toEqual({
      valid: false,
      error: { type: 'prompt_outputs_failed_validation', node_id: null },
      good_outputs: [],
      node_errors: {
        '2': [
          { type: 'value_smaller_than_min', input: 'steps' },
          { type: 'value_not_in_list', input: 'scheduler' },
        ],
      },
    });
    expect(bad?.diagnostics[0]).toEqual({
      code: 'below-minimum',
      severity: 'error',
      message: 'steps must be at least 1; 0 is too small.',
      range: { start: { line: 17, character: 15 }, end: { line: 17, character: 16 } },
      node: '2',
      input: 'steps',
    });
  });

  it('names the first unknown node type in the verdict, and the exception of a server that fails', async () => {
    const world = await worldWith({
      'unknown.json': workflow({}, { '4': { class_type: 'Nothing', inputs: {} } }),
      'crash.json': workflow({}, { '4': 'note' }),
    });
    expect(await validate(world, ['unknown.json', 'crash.json'], '--format', 'json')).toBe(1);
    const [unknown, crash] = linesOf(world);
    expect(unknown?.verdict).toMatchObject({
      valid: false,
      error: { type: 'missing_node_type', node_id: '4' },
    });
    expect(crash?.verdict).toMatchObject({ valid: false, error: null, raised: expect.any(String) as string });
  });

  it('continues after files that are not workflows', async () => {
    const world = await worldWith({ 'text.json': 'hello', 'list.json': '[]', 'good.json': workflow() });
    const names = ['missing.json', 'text.json', 'list.json', 'definitions.json', 'good.json'];
    expect(await validate(world, names, '--format', 'json')).toBe(1);
    const found = linesOf(world).map(({ format, verdict, diagnostics }) => [
      format,
      verdict?.valid ?? null,
      diagnostics.map(({ code }) => code),
    ]);
    expect(found).toEqual([
      ['none', null, ['not-a-workflow']],
      ['none', null, ['not-a-workflow']],
      ['none', null, ['not-a-workflow']],
      ['objectInfo', null, ['not-a-workflow']],
      ['api', true, []],
    ]);
  });

  it('reads node types with their own checks, and replacements, from files', async () => {
    const world = await worldWith({
      'own.json': workflow({ steps: 0 }),
      'old.json': workflow(
        {},
        { '1': { class_type: 'Opener', inputs: { name: 'a.safetensors' }, _meta: {} } },
      ),
      'validators.json': JSON.stringify([['Sampler', 'v1', ['steps'], null, 'nodes']]),
      'replacements.json': JSON.stringify({
        Opener: [{ new_node_id: 'Loader', input_mapping: [{ new_id: 'name', old_id: 'name' }] }],
      }),
    });
    const [validators, replacements] = [world.path('validators.json'), world.path('replacements.json')];
    const options = ['--format', 'json', '--validators', validators, '--replacements', replacements];
    expect(await validate(world, ['own.json', 'old.json'], ...options)).toBe(0);
    expect(linesOf(world).map(({ verdict }) => verdict?.valid)).toEqual([true, true]);
  });
});

describe('comfy-deck validate for people and for actions', () => {
  it('prints places as editors count them, and a summary', async () => {
    const world = await worldWith({ 'bad.json': workflow({ steps: 0, upload: 'image' }) });
    expect(await validate(world, ['bad.json'])).toBe(1);
    expect(world.out).toBe(
      `${world.path('bad.json')}:18:16: error below-minimum (node 2): steps must be at least 1; 0 is too small.\n`,
    );
    expect(world.err).toBe('1 file, 1 with problems: 1 error, 0 warnings.\n');
  });

  it('prints annotations that no file content can break', async () => {
    const world = await worldWith({ 'bad.json': workflow({ scheduler: 'a%\n::error::b', extra: 1 }) });
    expect(await validate(world, ['bad.json'], '--format', 'github')).toBe(1);
    const [first, second, ...rest] = world.out.trimEnd().split('\n');
    expect(first).toMatch(
      /^::error file=.*bad\.json,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=option-unknown::/,
    );
    expect(first).toContain('a%25');
    expect(second).toMatch(/^::warning .*title=unknown-input::/);
    expect(rest).toEqual([]);
  });
});

describe('comfy-deck validate with wrong arguments', () => {
  it('says which file it cannot use', async () => {
    const world = await worldWith({ 'good.json': workflow(), 'broken.json': '{"a": ' });
    const use = (name: string): Promise<number> =>
      world.run('validate', '--definitions', world.path(name), world.path('good.json'));
    expect(await use('nothing.json')).toBe(2);
    expect(world.err).toContain("nothing.json doesn't exist.");
    expect(await use('broken.json')).toBe(2);
    expect(world.err).toContain('contains no node definitions');
    expect(await validate(world, ['good.json'], '--validators', world.path('broken.json'))).toBe(2);
    expect(world.err).toContain('is not JSON');
  });

  it.each(['validate', 'convert'])('%s says what to do when the server does not answer', async (command) => {
    const gone = await startSandbox();
    await gone.close();
    const world = await worldWith({ 'good.json': workflow() });
    expect(await world.run(command, '--server', gone.url, world.path('good.json'))).toBe(1);
    expect(world.err).toMatch(
      /^Nothing is listening at .*\. Check that the server is running and its address is correct\.\n$/,
    );
  });

  it('finds nothing in our own samples on the sandbox: their pictures are beside them', async () => {
    const world = await CliWorld.open();
    const folder = fileURLToPath(new URL('../../../samples', import.meta.url));
    const samples = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    expect(samples.length).toBeGreaterThan(5);
    const files = samples.map((name) => path.join(folder, name));
    expect(await world.run('validate', '--server', 'sandbox', ...files)).toBe(0);
    expect(world.err).toContain('0 errors, 0 warnings');
  });

  it('reports a picture that is neither on the server nor beside the workflow', async () => {
    const picture = { class_type: 'Picture', inputs: { image: 'mine.png' } };
    const world = await worldWith({ 'one.json': workflow({ image: ['4', 0] }, { '4': picture }) });
    await validate(world, ['one.json']);
    expect(world.out).toContain('file-not-on-server');
    await mkdir(world.path('inputs'));
    await writeFile(world.path('inputs/mine.png'), '');
    const there = await worldWith({});
    await there.run('validate', '--definitions', world.path('definitions.json'), world.path('one.json'));
    expect(there.out).toBe('');
  });
});

describe('file encodings', () => {
  const bad = workflow({ steps: 0 });
  const encoded = {
    'utf8.json': Buffer.from(bad),
    'mark.json': Buffer.from(`\uFEFF${bad}`),
    'utf16.json': Buffer.from(`\uFEFF${bad}`, 'utf16le'),
  };

  it('reports the same findings at the same places in UTF-8 and UTF-16, with or without a byte order mark', async () => {
    const world = await worldWith({});
    // The encoding that Windows PowerShell produces for `curl … > definitions.json`.
    await writeFile(world.path('definitions.json'), Buffer.from(`\uFEFF${catalog.toText()}`, 'utf16le'));
    for (const [name, bytes] of Object.entries(encoded)) await writeFile(world.path(name), bytes);
    expect(await validate(world, Object.keys(encoded))).toBe(1);
    const found = world.out
      .replaceAll(/^.*[\\/]\w+\.json:/gm, '')
      .trimEnd()
      .split('\n');
    expect(found[0]).toMatch(/^18:16: error below-minimum/);
    expect(found).toEqual(Object.keys(encoded).map(() => found[0]));
  });

  it('counts columns on the first line from the first character that an editor shows', async () => {
    const world = await worldWith({ 'broken.json': '\uFEFF{"1": {"class_type": "A", "inputs": {},,}}' });
    expect(await validate(world, ['broken.json'])).toBe(1);
    expect(world.out).toContain('broken.json:1:40: error json-syntax');
  });
});

describe('JSON with comments', () => {
  const commented = `// Two pictures.\n${workflow({ steps: 0 }).replace('{', '{ /* the sampler */')}`;

  it('is read in .jsonc files, where findings keep their places, and not in .json files', async () => {
    const world = await worldWith({ 'a.jsonc': commented, 'a.json': commented });
    expect(await validate(world, ['a.jsonc', 'a.json'])).toBe(1);
    expect(world.out).toMatch(/a\.jsonc:19:16: error below-minimum/);
    expect(world.out.match(/a\.jsonc/g)).toHaveLength(1);
    expect(world.out).toMatch(/a\.json:1:1: error/);
  });
});
