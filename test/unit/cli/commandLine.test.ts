import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../src/cli/commandLine';
import { helpText } from '../../../src/cli/helpText';

describe('readCommandLine', () => {
  it('fills in what is not said', () => {
    expect(readCommandLine(['run', 'a.json'])).toEqual({
      command: 'run',
      file: 'a.json',
      server: 'http://127.0.0.1:8188',
      out: 'outputs',
      json: false,
      seeds: 'keep',
      spend: false,
      force: false,
      strict: false,
    });
    expect(readCommandLine(['sandbox'])).toEqual({ command: 'sandbox', port: 8189, dialect: 'cloud' });
  });

  it('reads every option, in any place', () => {
    const line =
      'run --server https://example.org --key-env COMFY_KEY a.json --out x --json --seed random --upload no --spend yes --force --strict --look-out 5';
    expect(readCommandLine(line.split(' '))).toEqual({
      command: 'run',
      file: 'a.json',
      server: 'https://example.org',
      keyEnv: 'COMFY_KEY',
      out: 'x',
      json: true,
      seeds: 'new',
      upload: false,
      spend: true,
      force: true,
      strict: true,
      lookOut: 5,
    });
    expect(readCommandLine(['sandbox', '--port', '0', '--dialect', 'local-old'])).toEqual({
      command: 'sandbox',
      port: 0,
      dialect: 'local-old',
    });
    expect(readCommandLine(['run', 'a', '--server', 'cloud'])).toMatchObject({
      server: 'https://cloud.comfy.org',
    });
  });

  it.each([
    ['', 'Say what to do'],
    ['fly', 'no command "fly"'],
    ['run', 'Name the workflow file'],
    ['run a b', 'one workflow file only'],
    ['run a --seed 5', '--seed takes only'],
    ['run a --server nowhere', '--server takes'],
    ['run a --server file:///x', '--server takes'],
    ['run a --upload maybe', '--upload takes yes or no'],
    ['run a --key-env comfyui-abc', 'never the key itself'],
    ['run a --key abc', "Unknown option '--key'"],
    ['run a --out', '--out'],
    ['sandbox --port 99999', '--port takes'],
    ['sandbox --port -1', '--port'],
    ['sandbox --dialect french', '--dialect takes'],
    ['sandbox now', 'now'],
    ['sandbox --dialect local --key-env KEY', '--dialect cloud'],
    ['sandbox --dialect local --fault internal', '--dialect cloud'],
    ['sandbox --fault rain', '--fault takes unauthorized'],
  ])('says what is wrong with "%s" in one sentence', (line, words) => {
    const read = readCommandLine(line === '' ? [] : line.split(' '));
    expect(read).toMatchObject({ command: 'wrong', problem: expect.stringContaining(words) as string });
    expect(read.command === 'wrong' && read.problem).toMatch(/\.$/);
  });

  it('helps and tells its version', () => {
    expect(readCommandLine(['--help'])).toEqual({ command: 'help' });
    expect(readCommandLine(['run', '--help'])).toEqual({ command: 'help' });
    expect(readCommandLine(['--version'])).toEqual({ command: 'version' });
    for (const option of [
      '--server',
      '--key-env',
      '--out',
      '--json',
      '--seed',
      '--upload',
      '--port',
      '--dialect',
    ]) {
      expect(helpText).toContain(option);
    }
    expect(Math.max(...helpText.split('\n').map((line) => line.length))).toBeLessThan(100);
  });
});
