import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Settings = Readonly<Record<string, unknown>>;

/** Keeps a VS Code under test quiet: no news, no updates, no trust prompt, no network requests. */
const quiet: Settings = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.simpleDialog.enable': true,
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'typescript.tsserver.enabled': false,
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Everything that one VS Code under test writes: its home, its user data and its workspace. */
export class Scratch {
  readonly home: string;
  readonly workspace: string;
  readonly userData: string;

  /**
   * @param home an existing folder to use again; by default a new one, with a copy of `samples/` as the workspace.
   */
  constructor(home = mkdtempSync(path.join(tmpdir(), 'comfy-deck-'))) {
    this.home = home;
    this.workspace = path.join(home, 'workspace');
    this.userData = path.join(home, 'vscode');
    mkdirSync(path.join(home, 'tmp'), { recursive: true });
    if (!existsSync(this.workspace)) this.#copySamples();
  }

  #copySamples(): void {
    mkdirSync(this.workspace);
    if (existsSync('samples')) cpSync('samples', this.workspace, { recursive: true });
  }

  /** Removes what a window has left: its folders, and the user data with the settings. */
  empty(): void {
    const others = readdirSync(this.home).filter((name) => name !== 'tmp' && name !== 'server.log');
    for (const name of others.filter((each) => path.join(this.home, each) !== this.userData))
      remove(path.join(this.home, name));
    remove(path.join(this.userData, 'data/User'));
    this.#copySamples();
  }

  get settings(): Settings {
    return existsSync(this.#settingsFile)
      ? (JSON.parse(readFileSync(this.#settingsFile, 'utf8')) as Settings)
      : quiet;
  }

  changeSettings(change: Settings): void {
    const settings = { ...this.settings, ...change };
    mkdirSync(path.dirname(this.#settingsFile), { recursive: true });
    writeFileSync(this.#settingsFile, JSON.stringify(settings, null, 2));
  }

  /**
   * The environment of a program that must use this folder as its home and see nothing of the VS Code or npm around
   * us.
   */
  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const outer = Object.entries(process.env).filter(
      ([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|PORT$|PASSWORD$|VITEST)/.test(name),
    );
    return {
      ...Object.fromEntries(outer),
      HOME: this.home,
      TMPDIR: path.join(this.home, 'tmp'),
      EXTENSIONS_GALLERY: '{}',
      ...more,
    };
  }

  remove(): void {
    remove(this.home);
  }

  get #settingsFile(): string {
    return path.join(this.userData, 'data/User/settings.json');
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
