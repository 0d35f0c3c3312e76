import { describe, expect, it } from 'vitest';
import { manifestProblems, type ContributionTables, type Manifest } from '../../support/manifestProblems';

const manifest: Manifest = {
  icon: 'media/icon.png',
  contributes: {
    commands: [{ command: 'comfyDeck.run', icon: '$(play)', enablement: 'comfyDeck.ready' }],
    configuration: {
      properties: { 'comfyDeck.server': { scope: 'application', description: 'Where to run.' } },
    },
    menus: { 'view/title': [{ command: 'comfyDeck.run', when: 'view == comfyDeck.jobs' }] },
    viewsContainers: { activitybar: [{ id: 'comfyDeck' }] },
    views: { comfyDeck: [{ id: 'comfyDeck.jobs' }] },
  },
};
const tables: ContributionTables = {
  commands: { run: 'comfyDeck.run' },
  views: { container: 'comfyDeck', jobs: 'comfyDeck.jobs' },
  webviewPanels: {},
  customEditors: {},
  walkthroughs: {},
  settings: { server: 'comfyDeck.server' },
  contextKeys: { ready: 'comfyDeck.ready' },
};
const code =
  'registerCommand(log, commands.run, run); readSetting(settings.server); setContext(contextKeys.ready, true)';

function problems(change: {
  readonly contributes?: Partial<Manifest['contributes']>;
  readonly tables?: Partial<ContributionTables>;
  readonly text?: string;
  readonly files?: readonly string[];
}): readonly string[] {
  const files = change.files ?? ['media/icon.png'];
  return manifestProblems(
    { ...manifest, contributes: { ...manifest.contributes, ...change.contributes } },
    { ...tables, ...change.tables },
    [{ file: 'src/host/runs/runCommand.ts', text: change.text ?? code }],
    (file) => files.includes(file),
  );
}

describe('manifest against code', () => {
  it('reports nothing when they agree', () => {
    expect(problems({})).toEqual([]);
  });

  it.each<[string, Parameters<typeof problems>[0], string]>([
    [
      'a command that only the code has',
      {
        tables: { commands: { run: 'comfyDeck.run', stop: 'comfyDeck.stop' } },
        text: `${code} commands.stop`,
      },
      'commands: comfyDeck.stop is in src/host/platform/contributions.ts only.',
    ],
    [
      'a view that only the manifest has',
      { contributes: { views: { comfyDeck: [{ id: 'comfyDeck.jobs' }, { id: 'comfyDeck.music' }] } } },
      'views: comfyDeck.music is in package.json only.',
    ],
    [
      'a setting without a scope',
      {
        contributes: {
          configuration: { properties: { 'comfyDeck.server': { description: 'Where to run.' } } },
        },
      },
      'settings: comfyDeck.server has no scope.',
    ],
    [
      'a menu with a command that does not exist',
      { contributes: { menus: { 'view/title': [{ command: 'comfyDeck.rum' }] } } },
      "A menu or key runs comfyDeck.rum, which doesn't exist.",
    ],
    [
      'a when-clause with a key that nobody sets',
      { contributes: { keybindings: [{ command: 'comfyDeck.run', when: '!comfyDeck.redy' }] } },
      'A when-clause reads comfyDeck.redy, which nobody sets.',
    ],
    [
      'a command that no code registers',
      { text: code.replace('commands.run', 'run') },
      'commands: no code uses commands.run.',
    ],
    [
      'a name written out and misspelt',
      { text: `${code} has('comfyDeck.serer')` },
      'src/host/runs/runCommand.ts names comfyDeck.serer, which src/host/platform/contributions.ts does not have.',
    ],
    [
      'a command registered past its one door',
      { text: `${code} vscode.commands.registerCommand(commands.run, run)` },
      'src/host/runs/runCommand.ts registers a command past src/host/platform/commandRegistry.ts.',
    ],
    ['a picture that is not there', { files: [] }, 'package.json names media/icon.png, which is not there.'],
  ])('finds %s', (_what, change, problem) => {
    expect(problems(change)).toEqual([problem]);
  });
});
