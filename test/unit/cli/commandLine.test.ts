import { withoutNetwork } from './withoutNetwork';
import { describe, expect, it } from 'vitest';
import { readCommandLine, textsWithoutWindow } from '../../../src/cli/cli';
import { refusalError } from '../../../src/core/protocol/refusal';
import { rewordTexts } from '../../../src/core/safety/localize';
import { readFileSync } from 'node:fs';
import { commandEntries } from '../../../src/cli/commandTable';
import { commandHelp, helpText } from '../../../src/cli/helpText';

describe('readCommandLine', () => {
  it('fills in defaults', async () => {
    expect(await readCommandLine(['run', 'a.json'])).toEqual({
      command: 'run',
      next: false,
      file: 'a.json',
      server: 'http://127.0.0.1:8188',
      out: 'outputs',
      json: false,
      seeds: 'keep',
      spend: false,
      force: false,
      allowLoss: false,
      strict: false,
      set: [],
      dryRun: false,
      saveTemporary: false,
      traceback: false,
    });
    expect(await readCommandLine(['sandbox'])).toEqual({ command: 'sandbox', port: 8190, dialect: 'cloud' });
  });

  it('reads every option, in any place', async () => {
    const line =
      'run --server https://example.org --key-env COMFY_KEY a.json --out x --json --seed random --upload no --spend yes --force --strict --save-temporary --traceback --look-out 5 --set 3.seed=1 --set a.b=1,2 --count 4 --window 3 --dry-run --sheet s.md';
    expect(await readCommandLine(line.split(' '))).toEqual({
      command: 'run',
      next: false,
      file: 'a.json',
      server: 'https://example.org',
      keyEnv: 'COMFY_KEY',
      out: 'x',
      json: true,
      seeds: 'new',
      upload: false,
      spend: true,
      force: true,
      allowLoss: false,
      strict: true,
      saveTemporary: true,
      traceback: true,
      lookOut: 5_000,
      set: ['3.seed=1', 'a.b=1,2'],
      count: 4,
      window: 3,
      dryRun: true,
      sheet: 's.md',
    });
    const batch = await readCommandLine(
      'batch a.batch.json --servers sandbox,cloud --resume --retry-failed'.split(' '),
    );
    expect(batch).toMatchObject({
      command: 'batch',
      file: 'a.batch.json',
      servers: ['sandbox', 'https://cloud.comfy.org'],
      resume: true,
      retryFailed: true,
      spend: false,
    });
    const test =
      'test a.json b.json --server sandbox --expected kept --update --threshold 0.5 --junit j.xml --diff d --spend yes';
    expect(await readCommandLine(test.split(' '))).toEqual({
      command: 'test',
      files: ['a.json', 'b.json'],
      server: 'sandbox',
      expected: 'kept',
      update: true,
      threshold: 0.5,
      junit: 'j.xml',
      diff: 'd',
      json: false,
      spend: true,
      force: false,
      allowLoss: false,
      saveTemporary: false,
    });
    expect(await readCommandLine(['sandbox', '--port', '0', '--dialect', 'local-old'])).toEqual({
      command: 'sandbox',
      port: 0,
      dialect: 'local-old',
    });
    expect(await readCommandLine(['run', 'a', '--server', 'cloud'])).toMatchObject({
      server: 'https://cloud.comfy.org',
    });
  });

  it.each([
    ['', 'Specify a command'],
    ['fly', 'Unknown command "fly".'],
    ['validat w.json', 'Unknown command "validat". Did you mean validate?'],
    ['run', 'Specify the workflow file'],
    ['run a b', 'only one workflow file'],
    ['run a --seed 5', '--seed must be'],
    ['run a --count 0', '--count must be a whole number from 1 to 10,000.'],
    ['run a --count 10001', '--count must be a whole number from 1 to 10,000.'],
    ['run a --set b.c=1,2 --window 101', '--window must be a whole number from 1 to 100.'],
    ['run a --window 2', '--window works only with a batch. Add --set or --count.'],
    ['run a --seed random --sheet s.md', '--sheet works only with a batch. Add --set or --count.'],
    ['batch a.batch.json --servers nowhere', '--servers must be'],
    ['test', 'Specify the workflow files to test'],
    ['test a --threshold few', '--threshold must be a number from 0 to 100'],
    ['test a --threshold 100.1', '--threshold must be a number from 0 to 100'],
    ['batch', 'Specify the batch file'],
    ['batch a b', 'only one batch file'],
    ['batch a.batch.json --retry-failed', '--retry-failed requires --resume'],
    ['run a --server nowhere', '--server must be'],
    ['run a --server file:///x', '--server must be'],
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
    ['validate a.json --server nowhere', '--server must be'],
    ['run a --out', '--out requires a value'],
    ['run a --force=yes', "--force doesn't take a value"],
    ['sandbox --port 99999', '--port must be'],
    ['sandbox --port -1', 'Use --port=VALUE'],
    ['sandbox --dialect french', '--dialect must be'],
    ['sandbox now', 'Unexpected argument now'],
    ["sandbox it's 'now'", "Unexpected argument it's"],
    ['sandbox --dialect local --key-env KEY', '--dialect cloud'],
    ['sandbox --manager v3', '--manager works only with --dialect local'],
    ['sandbox --dialect local --manager v9', '--manager must be one of v3, v4, forbidden'],
    ['help fly', 'Unknown command "fly"'],
    ['completion', 'bash, zsh, fish, and powershell'],
    ['completion tcsh', 'bash, zsh, fish, and powershell'],
    ['convert a.json', '--definitions or --server'],
    ['convert a.json --server nowhere', '--server must be'],
    ['convert a.json --server cloud --key-env comfyui-abc', 'not the key itself'],
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

  it('shows help and its version', async () => {
    expect(await readCommandLine(['--help'])).toEqual({ command: 'help' });
    expect(await readCommandLine(['help'])).toEqual({ command: 'help' });
    expect(await readCommandLine(['run', '--help'])).toEqual({ command: 'help', of: 'run' });
    expect(await readCommandLine(['run', 'a.json', '--no-such', '-h'])).toEqual({
      command: 'help',
      of: 'run',
    });
    expect(await readCommandLine(['help', 'music'])).toEqual({ command: 'help', of: 'music' });
    expect(await readCommandLine(['music', '--', '--help'])).toMatchObject({
      command: 'music',
      prompt: '--help',
    });
    expect(await readCommandLine(['--version'])).toEqual({ command: 'version' });
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

  it.each(commandEntries)('of %s describes each option and shows examples', (name, command) => {
    const help = commandHelp(name);
    for (const [option, { value }] of Object.entries(command.options)) {
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

it('says in its help what --next excludes', async () => {
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
      'Set an environment variable to your API key, and name it with --key-env.',
      'Set the variable that --key-env names to a valid API key.',
      'Check --server, and whether the server still has it.',
    ]);
  });
});
