import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: { readonly menus: Readonly<Record<string, readonly MenuItem[]>> };
};

function whenOf(menu: string, command: string): string {
  const item = contributes.menus[menu]?.find((each) => each.command === command);
  if (!item) throw new Error(`${menu} does not have ${command}`);
  return item.when ?? '';
}

describe('the menus', () => {
  it("offer to run a JSON file in the Explorer, but not run records or other tools' files", () => {
    const [, pattern] =
      /!\(resourceFilename =~ \/(.+)\/\)/.exec(whenOf('explorer/context', 'comfyDeck.run')) ?? [];
    const isOther = (name: string): boolean => new RegExp(pattern ?? '').test(name);
    expect(isOther('portrait.json')).toBe(false);
    expect(isOther('run.json')).toBe(false);
    for (const name of ['portrait-20260115-120000.run.json', 'package.json', 'tsconfig.base.json'])
      expect(isOther(name), name).toBe(true);
  });

  it('offer conversion and export only for graphs: a prompt is already in the API format', () => {
    for (const command of ['comfyDeck.convertToApi', 'comfyDeck.exportApi'])
      expect(whenOf('commandPalette', command)).toBe('comfyDeck.activeIsGraph');
    expect(whenOf('editor/title', 'comfyDeck.exportApi')).toBe('comfyDeck.activeIsGraph');
  });

  it('offer Show Run for pictures, videos, sounds and models, in the Explorer and in their tabs', () => {
    for (const menu of ['explorer/context', 'editor/title', 'editor/title/context', 'commandPalette']) {
      const [, pattern = ''] =
        /resourceExtname =~ \/(.+)\/i/.exec(whenOf(menu, 'comfyDeck.records.showRun')) ?? [];
      const isOffered = (ending: string): boolean => new RegExp(pattern, 'i').test(ending);
      for (const ending of ['.png', '.JPG', '.webp', '.mp4', '.flac', '.glb'])
        expect(isOffered(ending), ending).toBe(true);
      for (const ending of ['.json', '.ts', '']) expect(isOffered(ending), ending).toBe(false);
    }
  });

  it('offer to start or stop the sandbox, depending on its state', () => {
    expect(whenOf('commandPalette', 'comfyDeck.startSandbox')).toBe('!comfyDeck.sandboxRunning');
    expect(whenOf('commandPalette', 'comfyDeck.stopSandbox')).toBe('comfyDeck.sandboxRunning');
    expect(whenOf('view/title', 'comfyDeck.stopSandbox')).toContain('comfyDeck.sandboxRunning');
    expect(whenOf('view/title', 'comfyDeck.startSandbox')).toContain('comfyDeck.serverStatus == stopped');
  });

  it('offer to switch which jobs are shown and how they are grouped', () => {
    for (const menu of ['commandPalette', 'view/title']) {
      expect(whenOf(menu, 'comfyDeck.jobs.showAll')).toMatch(/!comfyDeck\.showsAllJobs$/);
      expect(whenOf(menu, 'comfyDeck.jobs.showMine')).toMatch(/(?<!!)comfyDeck\.showsAllJobs$/);
      expect(whenOf(menu, 'comfyDeck.jobs.groupByWorkflow')).toMatch(/!comfyDeck\.groupsByWorkflow$/);
    }
  });

  it('leave room for the view title in a narrow side bar, beside three icons and one for pending jobs', () => {
    const icons = (contributes.menus['view/title'] ?? []).filter(({ group }) =>
      group?.startsWith('navigation'),
    );
    expect(icons.map(({ command }) => command)).toEqual([
      'comfyDeck.jobs.cancelPending',
      'comfyDeck.jobs.refresh',
      'comfyDeck.openPreview',
      'comfyDeck.gallery.open',
    ]);
  });
});
