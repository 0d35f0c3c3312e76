import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shells } from '../../../src/cli/commandArguments';
import { commandOptions } from '../../../src/cli/arguments/optionTable';
import { completionScript, type Shell } from '../../../src/cli/shellCompletion';
import { notOnWindows } from '../../support/notOnWindows';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
  for (const shell of shells) writeFileSync(path.join(folder, shell), completionScript(shell));
  mkdirSync(path.join(folder, 'work', 'pictures'), { recursive: true });
  writeFileSync(path.join(folder, 'work', 'my flow.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(shell: Shell, script: string, ...args: string[]): string {
  const { stdout, stderr, error } = spawnSync(shell, [...args, '-c', script], {
    cwd: path.join(folder, 'work'),
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    timeout: 60_000,
  });
  if (error) throw error;
  expect(stderr).toBe('');
  return stdout;
}

/** The shell's completions at the end of a line. */
const offers: Readonly<Record<Shell, (words: readonly string[]) => string[]>> = {
  bash: (words) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const script = `source ../bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _comfy_deck; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', script, '--norc')
      .split('\n')
      .filter((line) => line !== '');
  },
  fish: (words) => {
    const script = `source ../fish; complete --do-complete '${words.join(' ')}'`;
    return run('fish', script, '--no-config')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0] ?? '');
  },
  // zsh completes only in its line editor: this only tests that it can parse the script.
  zsh: () => [],
  powershell: () => [],
};

const isThere = (shell: Shell): boolean =>
  !notOnWindows('shells from elsewhere have other paths there') &&
  spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('completion', () => {
  describe.each(['bash', 'fish'] as const)('in %s', (shell) => {
    const complete = (...words: string[]): string[] => offers[shell](['comfy-deck', ...words]).sort();

    it.skipIf(!isThere(shell))(
      'offers commands, options, values, files and folders',
      { timeout: 120_000 },
      () => {
        const names = Object.keys(commandOptions);
        expect(complete('')).toEqual(expect.arrayContaining(names));
        expect(complete('va')).toEqual(['validate']);
        expect(complete('music', '--ke')).toEqual(['--keep-partial', '--key-env']);
        expect(complete('run', 'x', '--upload', '')).toEqual(['no', 'yes']);
        expect(complete('validate', '--format', 'g')).toEqual(['github']);
        expect(complete('completion', '')).toEqual(['bash', 'fish', 'powershell', 'zsh']);
        expect(complete('run', 'm').map((name) => name.replaceAll('\\', ''))).toEqual(['my flow.json']);
        expect(complete('run', '--out', '').map((name) => name.replace('/', ''))).toEqual(['pictures']);
        expect(complete('music', 'm')).toEqual([]);
      },
    );
  });

  it.skipIf(!isThere('zsh'))('is a script that zsh can parse', () => {
    const script =
      'autoload -U compinit && compinit -u -D && source ../zsh && print -r -- $_comps[comfy-deck]';
    expect(run('zsh', script, '-f').trim()).toBe('_comfy_deck');
  });

  it.each(shells)('names every command and option for %s', (shell) => {
    const script = completionScript(shell);
    for (const [name, options] of Object.entries(commandOptions)) {
      expect(script).toContain(name);
      for (const option of Object.keys(options))
        expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
    }
  });
});
