import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly commands: readonly Command[];
  };
};

type Keys = Readonly<Record<string, string | boolean>>;

/** Whether a condition holds, as VS Code reads it; none about a file does. */
function holds(when: string, keys: Keys): boolean {
  const any = parts(when, '||');
  if (any.length > 1) return any.some((each) => holds(each, keys));
  const all = parts(when, '&&');
  if (all.length > 1) return all.every((each) => holds(each, keys));
  const inside = /^\((.+)\)$/.exec(when)?.[1];
  if (inside !== undefined) return holds(inside, keys);
  const [, not = '', key = '', operator, other] = /^(!?)([\w.]+)(?: (==|!=|=~) (.+))?$/.exec(when) ?? [];
  const value = keys[key] ?? '';
  if (operator === '==' || operator === '!=') return (value === other) === (operator === '==');
  return operator === undefined && (value !== '' && value !== false) !== (not === '!');
}

/** The parts of a condition between its outermost operators of one kind. */
function parts(when: string, operator: '||' | '&&'): string[] {
  return when.split(` ${operator} `).reduce<string[]>((found, part) => {
    const last = found.at(-1);
    const isOpen = last !== undefined && last.split('(').length !== last.split(')').length;
    return isOpen ? [...found.slice(0, -1), `${last} ${operator} ${part}`] : [...found, part];
  }, []);
}

const titles = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;

/** The titles in the palette, beside those of the open file. */
function inPalette(keys: Keys): string[] {
  return contributes.commands.flatMap(({ command, title }) => {
    const item = contributes.menus['commandPalette']?.find((each) => each.command === command);
    const isShown = item?.when === undefined || holds(item.when, keys);
    return isShown ? [titles[title.slice(1, -1)] ?? title] : [];
  });
}

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

  it('have nothing in the palette twice', () => {
    const isEverywhere = new Map(
      contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]),
    );
    const all = contributes.commands.filter(({ command }) => isEverywhere.get(command) !== 'false');
    const names = all.map(({ title, category }) => `${category}: ${titles[title.slice(1, -1)] ?? title}`);
    expect(names.filter((each, index) => names.indexOf(each) !== index)).toEqual([]);
  });

  it('have only what works on the selected server in the palette', () => {
    const needAServer = [
      'Sign In',
      'Sign Out',
      'Open Account Page',
      'Restart Server…',
      'Sign In to the Music Service',
      'Sign Out of the Music Service',
    ];
    const shown = (keys: Keys): string[] => {
      const all = inPalette(keys);
      return needAServer.filter((each) => all.includes(each));
    };
    const connected = { 'comfyDeck.serverStatus': 'connected' };
    expect(shown(connected)).toEqual([]);
    expect(shown({ ...connected, 'config.comfyDeck.musicService': 'https://music.example' })).toEqual([
      'Sign In to the Music Service',
      'Sign Out of the Music Service',
    ]);
    const own = { ...connected, 'comfyDeck.canSignIn': true, 'comfyDeck.canRestart': true };
    expect(shown(own)).toEqual(needAServer.filter((each) => each !== 'Sign Out'));
    expect(shown({ ...own, 'comfyDeck.signedIn': true })).toEqual(needAServer);
    // Before the extension is active, nothing is known.
    expect(shown({})).toEqual(needAServer);
  });
});
