import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandOptions, type Options } from '../../../src/cli/arguments/optionTable';
import { readCommandLine, textsWithoutWindow } from '../../../src/cli/cli';
import { commandEntries } from '../../../src/cli/commandTable';
import { expandPatterns } from '../../../src/cli/expandPatterns';
import { commandHelp, helpText } from '../../../src/cli/helpText';
import { mediaBeside } from '../../../src/cli/workflowFile';
import { refusalError } from '../../../src/core/protocol/refusal';
import { rewordTexts } from '../../../src/core/safety/localize';
import { CliWorld } from './cliWorld';
import { withoutNetwork } from './withoutNetwork';

describe('readCommandLine', () => {
  it('fills in defaults', async () => {
    const off = 'next json spend force allowLoss strict dryRun saveTemporary traceback';
    const where = { file: 'a.json', server: 'http://127.0.0.1:8188', out: 'outputs' };
    const flags = Object.fromEntries(off.split(' ').map((name) => [name, false]));
    const run = { command: 'run', ...where, seeds: 'keep', set: [], ...flags };
    expect(await readCommandLine(['run', 'a.json'])).toEqual(run);
    expect(await readCommandLine(['sandbox'])).toEqual({ command: 'sandbox', port: 8190, dialect: 'cloud' });
  });

  it('reads every option, in any place', async () => {
    const line =
      'run --server https://example.org --key-env COMFY_KEY a.json --out x --json --seed random --upload no --spend yes --force --strict --save-temporary --traceback --look-out 5 --set 3.seed=1 --set a.b=1,2 --count 4 --window 3 --dry-run --sheet s.md';
    const where = { file: 'a.json', server: 'https://example.org', keyEnv: 'COMFY_KEY', out: 'x' };
    const allowed = { upload: false, spend: true, force: true, strict: true, lookOut: 5_000 };
    const told = { json: true, saveTemporary: true, traceback: true };
    const rows = { set: ['3.seed=1', 'a.b=1,2'], count: 4, window: 3, dryRun: true, sheet: 's.md' };
    const run = { command: 'run', ...where, ...allowed, ...told, ...rows, seeds: 'new' };
    expect(await readCommandLine(line.split(' '))).toMatchObject(run);
    const batch = 'batch a.batch.json --servers sandbox,cloud --resume --retry-failed';
    const servers = ['sandbox', 'https://cloud.comfy.org'];
    const resumed = { command: 'batch', file: 'a.batch.json', servers, resume: true, retryFailed: true };
    expect(await readCommandLine(batch.split(' '))).toMatchObject(resumed);
    const test =
      'test a.json b.json --server sandbox --expected kept --update --threshold 0.5 --junit j.xml --diff d --spend yes';
    const written = { expected: 'kept', update: true, threshold: 0.5, junit: 'j.xml', diff: 'd' };
    const tested = { command: 'test', files: ['a.json', 'b.json'], server: 'sandbox', spend: true };
    expect(await readCommandLine(test.split(' '))).toMatchObject({ ...tested, ...written });
    const sandbox = { command: 'sandbox', port: 0, dialect: 'local-old' };
    expect(await readCommandLine('sandbox --port 0 --dialect local-old'.split(' '))).toEqual(sandbox);
    const cloud = { server: 'https://cloud.comfy.org' };
    expect(await readCommandLine(['run', 'a', '--server', 'cloud'])).toMatchObject(cloud);
  });

  it.each([
    ['', 'Specify a command'],
    ['fly', 'Unknown command "fly".'],
    ['validat w.json', 'Unknown command "validat". Did you mean validate?'],
    ['run', 'Specify the workflow file'],
    ['run a b', 'only one workflow file'],
    ['run a --seed 5', '--seed must be'],
    ['run a --count 0', '--count must be a whole number from 1 to 10,000.'],
    ['run a --set b.c=1,2 --window 101', '--window must be a whole number from 1 to 100.'],
    ['run a --window 2', '--window works only with a batch. Add --set or --count.'],
    ['batch a.batch.json --servers nowhere', '--servers must be'],
    ['test', 'Specify the workflow files to test'],
    ['test a --threshold 100.1', '--threshold must be a number from 0 to 100'],
    ['batch', 'Specify the batch file'],
    ['batch a b', 'only one batch file'],
    ['batch a.batch.json --retry-failed', '--retry-failed requires --resume'],
    ['run a --server nowhere', '--server must be'],
    ['run a --upload maybe', '--upload must be yes or no'],
    ['run a --key-env comfyui-abc', 'not the key itself'],
    ['run a --key abc', 'Unknown option --key.'],
    ['run a --forse', 'Unknown option --forse. Did you mean --force?'],
    ['validate a --definition=b', 'Unknown option --definition. Did you mean --definitions?'],
    ['rerun', 'Specify the run record.'],
    ['rerun a b', 'Specify only one file.'],
    ['rerun a --seed 1', '--seed must be "random".'],
    ['rerun a --key-env KEY', '--key-env requires --server'],
    ['rerun --lost', '--lost requires --server.'],
    ['show', 'Specify the run record, or an output.'],
    ['show a b', 'Specify only one file.'],
    ['upload', 'Specify the image to upload.'],
    ['upload a.png b.png', 'Specify only one image'],
    ['upload a.png --on disk --mask m.png', '--on must be one of input, output, temp.'],
    ['upload a.png --on input', '--on requires --mask.'],
    ['upload a.png --server sandbox', 'Specify the address of a running sandbox.'],
    ['upload a.png --server nonsense', '--server must be'],
    ['validate', 'Specify the workflow files'],
    ['validate a.json', '--definitions or --server'],
    ['validate a.json --definitions d --format xml', '--format must be'],
    ['run a --out', '--out requires a value'],
    ['run a --force=yes', "--force doesn't take a value"],
    ['sandbox --port -1', 'Use --port=VALUE'],
    ['sandbox --dialect french', '--dialect must be'],
    ['sandbox now', 'Unexpected argument now'],
    ["sandbox it's 'now'", "Unexpected argument it's"],
    ['sandbox --dialect local --key-env KEY', '--dialect cloud'],
    ['sandbox --manager v3', '--manager works only with --dialect local'],
    ['sandbox --dialect local --manager v9', '--manager must be one of v3, v4, forbidden'],
    ['help fly', 'Unknown command "fly"'],
    ['completion tcsh', 'bash, zsh, fish, and powershell'],
    ['convert a.json', '--definitions or --server'],
  ])('says what is wrong with "%s" in one sentence', async (line, words) => {
    const read = await readCommandLine(line === '' ? [] : line.split(' '));
    expect(read).toMatchObject({ command: 'wrong', problem: expect.stringContaining(words) as string });
    expect(read.command === 'wrong' && read.problem).toMatch(/[.?]$/);
  });

  it.each(['fetch', 'wait', 'cancel', 'forget', 'run', 'show'])(
    'asks for what %s works on when a variable of the shell is empty',
    async (command) => {
      for (const empty of ['', ' '])
        expect(await readCommandLine([command, empty])).toMatchObject({
          command: 'wrong',
          problem: expect.stringContaining('Specify the') as string,
        });
    },
  );

  it.each([
    ['--help', { command: 'help' }],
    ['help', { command: 'help' }],
    ['run --help', { command: 'help', of: 'run' }],
    ['run a.json --no-such -h', { command: 'help', of: 'run' }],
    ['help music', { command: 'help', of: 'music' }],
    ['--version', { command: 'version' }],
  ])('shows what is asked for by %s', async (line, read) => {
    expect(await readCommandLine(line.split(' '))).toEqual(read);
  });

  it('takes words after -- as they are', async () => {
    const music = { command: 'music', prompt: '--help' };
    expect(await readCommandLine(['music', '--', '--help'])).toMatchObject(music);
  });
});

describe('help', () => {
  const isNarrow = (text: string): boolean => text.split('\n').every((line) => line.length < 100);

  it('lists every command in one screen', () => {
    for (const [name, { summary }] of commandEntries) {
      expect(helpText()).toContain(`comfy-deck ${name}`);
      expect(helpText()).toContain(summary);
    }
    expect(helpText().split('\n').length).toBeLessThan(44);
    expect(isNarrow(helpText())).toBe(true);
  });

  it.each(commandEntries)('of %s describes each option and shows examples', (name) => {
    const help = commandHelp(name);
    const options: Options = commandOptions[name];
    for (const [option, { value }] of Object.entries(options)) {
      expect(help).toMatch(
        new RegExp(`^  --${option}${value?.replace('|', '[|]').replace(/^/, ' ') ?? ''} +\\w`, 'm'),
      );
    }
    expect(help).toMatch(/^Examples:\n {2}# .+\n {2}.*comfy-deck /m);
    expect(isNarrow(help)).toBe(true);
  });

  it.each(commandEntries.flatMap(([, { examples }]) => Object.keys(examples)))(
    'shows an example that can be parsed: %s',
    async (line) => {
      const [, command = ''] = /(comfy-deck [^>)|]*)/.exec(line) ?? [];
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      // Where these files are.
      for (const [index, word] of words.entries()) words[index] = word.replace(/^workflows\//, 'samples/');
      expect(await readCommandLine(words.slice(1))).not.toMatchObject({ command: 'wrong' });
    },
  );
});

it('prints its version, and says in its help what --next excludes', async () => {
  expect((await withoutNetwork('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await withoutNetwork('run', '--help')).out.replace(/\s+/g, ' ')).toContain(
    'not with --set or --count',
  );
});

describe('what the command line says instead of VS Code', () => {
  it('replaces texts that there are, and names its own means', () => {
    const texts = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as object;
    for (const [windows, own] of Object.entries(textsWithoutWindow())) {
      expect(Object.keys(texts)).toContain(windows);
      expect(own).toMatch(/--(?:key-env|server|out)|comfy-deck/);
    }
  });

  it('is said by every error', () => {
    rewordTexts(textsWithoutWindow());
    const error = (status: number, isKeyless = false) =>
      refusalError({ endpoint: 'GET /api/x', status, bodyText: '', isKeyless }).nextAction;
    expect([error(401, true), error(401), error(404)]).toEqual([
      'Set an environment variable to a valid API key, and name it with --key-env.',
      'Set an environment variable to a valid API key, and name it with --key-env.',
      'Check --server, and whether the server still has it.',
    ]);
  });
});

let root: string;

beforeAll(async () => {
  root = (await mkdtemp(path.join(tmpdir(), 'patterns-'))).replaceAll('\\', '/');
  await mkdir(`${root}/sub (2)`);
  for (const name of ['b.json', 'a.json', 'a(1).json', 'c[1].json', 'x.txt', '.d.json', 'sub (2)/e.json'])
    await writeFile(`${root}/${name}`, '{}');
});

/** The expanded arguments, without the folder. */
async function expanded(...args: readonly string[]): Promise<string[]> {
  const all = args.map((each) => each.replace('ROOT', root));
  return (await expandPatterns(all, commandOptions.validate)).map((each) => each.replace(root, 'ROOT'));
}

describe('a pattern in quotes, or in a shell that leaves it alone', () => {
  it.each([
    ['ROOT/*.json', ['ROOT/a(1).json', 'ROOT/a.json', 'ROOT/b.json', 'ROOT/c[1].json']],
    ['ROOT\\*.json', ['ROOT/a(1).json', 'ROOT/a.json', 'ROOT/b.json', 'ROOT/c[1].json']],
    ['ROOT/{b,a}.json', ['ROOT/a.json', 'ROOT/b.json']],
    ['ROOT/?.json', ['ROOT/a.json', 'ROOT/b.json']],
    ['ROOT/**/e.json', ['ROOT/sub (2)/e.json']],
    ['ROOT/sub (2)/*.json', ['ROOT/sub (2)/e.json']],
    ['ROOT/a(1)*', ['ROOT/a(1).json']],
    // A file of that name is meant first.
    ['ROOT/c[1].json', ['ROOT/c[1].json']],
    ['ROOT/missing.json', ['ROOT/missing.json']],
  ])('%s is expanded in the order of names', async (pattern, files) => {
    expect(await expanded(pattern)).toEqual(files);
  });

  it('is one only where a file stands, not in the value of an option', async () => {
    const options = ['--definitions', 'ROOT/*.json', '--format', 'github'];
    expect(await expanded(...options, 'ROOT/b*', '--', 'ROOT/x*')).toEqual([
      ...options,
      'ROOT/b.json',
      '--',
      'ROOT/x.txt',
    ]);
  });

  it('makes no options of names', async () => {
    await writeFile(`${root}/sub (2)/--spend=yes.json`, '{}');
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(`${root}/sub (2)`);
    onTestFinished(() => cwd.mockRestore());
    expect(await expanded('-*.json', '--', '*.json')).toEqual([
      '-*.json',
      '--',
      './--spend=yes.json',
      'e.json',
    ]);
  });

  it('that nothing matches is an error that names it', async () => {
    await expect(expanded('ROOT/n*.json')).rejects.toThrow('No file matches');
    const pattern = `${root}/n*.json`;
    expect(await readCommandLine(['validate', '--server', 'sandbox', pattern])).toEqual({
      command: 'wrong',
      of: 'validate',
      problem: `No file matches ${pattern}.`,
    });
  });

  it('is expanded by the commands that take workflow files', async () => {
    const all = await readCommandLine(['validate', '--server', 'sandbox', `${root}\\?.json`]);
    expect(all).toMatchObject({ command: 'validate', files: [`${root}/a.json`, `${root}/b.json`] });
    const one = await readCommandLine(['graph', `${root}/b*`]);
    expect(one).toMatchObject({ command: 'graph', file: `${root}/b.json` });
    const two = await readCommandLine(['diff', `${root}/?.json`]);
    expect(two).toMatchObject({ command: 'diff', before: `${root}/a.json`, after: `${root}/b.json` });
  });
});

it('the files of a workflow on the command line are in its folder, or in the working folder around it, which marks them', async () => {
  const world = await CliWorld.open();
  await mkdir(world.path('flows'));
  await mkdir(world.path('input'));
  await writeFile(world.path('flows/near.png'), 'near');
  await writeFile(world.path('input/far.png'), 'far');
  const workflow = world.path('flows/w.json');
  const near = await mediaBeside(workflow, 'near.png', world.folder);
  expect(near).toMatchObject({ description: path.join('flows', 'near.png'), marks: [] });
  const far = await mediaBeside(workflow, 'far.png', world.folder);
  expect(far).toMatchObject({ description: path.join('input', 'far.png'), marks: ['outsideFolder'] });
  expect(await mediaBeside(workflow, 'far.png', world.path('elsewhere'))).toBeUndefined();
});
