import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import type { Job } from '../../src/core/jobs/job';
import { settings } from '../../src/host/platform/contributions';
import { JobItems } from '../../src/host/jobs/jobItems';
import { JobSection } from '../../src/host/jobs/jobSection';
import { JobsShown } from '../../src/host/jobs/jobsShown';
import type { Window } from '../../src/host/window';

export type WindowParts = Awaited<ReturnType<typeof windowParts>>;

/** The objects of the window that tests look at. The extension exports them in test runs only. */
export async function windowParts() {
  const extension = vscode.extensions.getExtension<Window | undefined>('comfy-deck.comfy-deck');
  assert.ok(extension, 'the extension is not installed');
  const window = await extension.activate();
  assert.ok(window, 'the extension does not know that this is a test run');
  const { platform, servers, windowRuns, runs, batches, retry } = window;
  const { log, sight, storage } = platform;
  const { store, temporary, pointers, folders, places } = windowRuns;
  const ready = (): Promise<void> => windowRuns.ready();
  return {
    ...{ platform, log, sight, storage, servers, windowRuns, runs, consent: runs.consent, batches, retry },
    ...{ store, temporary, pointers, folders, places, ready, known: windowRuns.runs },
  };
}

type AnyFunction = (...args: readonly unknown[]) => unknown;
type Asking =
  | 'showQuickPick'
  | 'showInputBox'
  | 'showWarningMessage'
  | 'showInformationMessage'
  | 'showErrorMessage'
  | 'showOpenDialog'
  | 'showSaveDialog';

/** A job that this window knows. */
export function jobOf({ known }: Pick<WindowParts, 'known'>, id: string): Job {
  const job = known.job(id);
  assert.ok(job, `no job ${id}`);
  return job;
}

type ItemParts = ConstructorParameters<typeof JobItems>;

const none = new vscode.EventEmitter<never>();

/** The rows of jobs, without what the Jobs view looks up elsewhere. */
export function jobItemsOf(
  { platform, windowRuns, servers }: WindowParts,
  foreignNameOf: ItemParts[0]['servers']['foreignNameOf'] = () => undefined,
  pictures: ItemParts[3] = { find: () => Promise.resolve([]) },
): JobItems {
  const { sessions } = servers;
  return new JobItems(
    {
      ...{ runs: windowRuns.runs, temporary: windowRuns.temporary },
      savedUri: (...output) => windowRuns.savedUri(...output),
      outputUri: (...output) => windowRuns.outputUri(...output),
      servers: { details: (job) => servers.details(job), foreignNameOf, sessions },
    },
    new JobsShown(platform),
    { of: () => undefined, onDidChange: none.event },
    pictures,
  );
}

/** The same in groups, by default those of everyone. */
export function jobSectionOf(
  { windowRuns }: WindowParts,
  items: JobItems,
  isAll: () => boolean = () => true,
): JobSection {
  const shown = {
    get choice() {
      return { all: isAll(), by: 'day' as const };
    },
    onDidChange: none.event,
  };
  return new JobSection(windowRuns, items, shown, { holds: () => false });
}

/** The answers to what each test of a suite asks; a test begins with none. */
export function answersInTests(): Answers {
  const answers = new Answers();
  beforeEach(() => {
    answers.begin();
  });
  afterEach(() => answers.restore());
  return answers;
}

/**
 * Answers the questions of a test run without a user. Records everything that was shown; anything without an answer
 * is dismissed, as with Escape.
 */
export class Answers {
  readonly shown: { readonly how: Asking; readonly text: string }[] = [];
  readonly #answers = new Map<Asking, AnyFunction>();
  readonly #restore: (() => void)[] = [];

  begin(): this {
    this.shown.length = 0;
    this.#answers.clear();
    const asking: Asking[] = [
      'showQuickPick',
      'showInputBox',
      'showWarningMessage',
      'showInformationMessage',
      'showErrorMessage',
      'showOpenDialog',
      'showSaveDialog',
    ];
    for (const how of asking) {
      const answer: AnyFunction = (...args) => {
        const [first] = args;
        this.shown.push({ how, text: typeof first === 'string' ? first : JSON.stringify(first) });
        return Promise.resolve(this.#answers.get(how)?.(...args));
      };
      this.#restore.push(replaceMember(vscode.window, how, answer));
    }
    return this;
  }

  /** Answers this kind of question like this from now on. */
  answer(how: Asking, with_: AnyFunction): void {
    this.#answers.set(how, with_);
  }

  /** Picks the entry whose label contains this text. */
  pick(text: string): void {
    this.answer('showQuickPick', async (picks) => {
      const list = (await picks) as readonly vscode.QuickPickItem[];
      return list.find(({ label }) => label.includes(text));
    });
  }

  /** Presses the button with this label whenever it is offered. */
  press(label: string): void {
    for (const how of ['showWarningMessage', 'showInformationMessage', 'showErrorMessage'] as const) {
      this.answer(how, (_message, ...items) => items.find((item) => titleOf(item) === label));
    }
  }

  texts(how: Asking): string[] {
    return this.shown.filter((each) => each.how === how).map(({ text }) => text);
  }

  restore(): void {
    for (const putBack of this.#restore.splice(0)) putBack();
  }
}

/** A button is a text, or an object with one. */
export function titleOf(button: unknown): unknown {
  return typeof button === 'object' && button !== null && 'title' in button ? button.title : button;
}

/** Waits until something holds; the last error is the failure. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false,
  limit = 45_000,
): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`Not within ${limit / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Puts something in the place of a member; call the result to put it back. */
export function replaceMember(object: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(object, name, own);
    else Reflect.deleteProperty(object, name);
  };
}

/** An object of VS Code with some members replaced. */
export function instead<T extends object>(real: T, members: Partial<T>): T {
  return new Proxy(real, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(Object.hasOwn(members, name) ? members : real, name);
      return value instanceof Function ? (value.bind(real) as unknown) : value;
    },
    set: (_target, name, value) => Reflect.set(real, name, value),
  });
}

/** A file of the workspace with this text. */
export async function writeFile(name: string, content: unknown): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the test run has no workspace');
  const uri = vscode.Uri.joinPath(folder.uri, name);
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** Selects the sandbox as a user does, and waits until it runs. */
export async function useSandbox(): Promise<WindowParts> {
  const parts = await windowParts();
  await vscode.commands.executeCommand('comfyDeck.startSandbox');
  await eventually('the sandbox runs', () => parts.servers.status.kind === 'connected');
  return parts;
}

/** A workflow that the server accepts and that fails at node 2. */
export const failingWorkflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  '2': { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'value' } },
  '3': { class_type: 'SaveImage', inputs: { filename_prefix: 'never', images: ['2', 0] } },
};

/** Sets whether ended runs are announced; suites that do not test it turn it off. */
export async function notify(when: 'always' | 'never' | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update('comfyDeck.notifyWhenDone', when, vscode.ConfigurationTarget.Global);
}

/** The runs of a suite open no preview and tell their ends as said, on servers that the suite chooses. */
export function runsTelling(when: 'always' | 'never'): void {
  before(async () => {
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
    await notify(when);
  });
  after(async () => {
    for (const name of [settings.openPreviewOnRun, settings.servers, settings.server]) {
      await vscode.workspace.getConfiguration().update(name, undefined, true);
    }
    await notify(undefined);
  });
}

/** Makes a server the only one of the settings. */
export async function chooseServer({ servers }: WindowParts, name: string, url: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(settings.servers, [{ name, url }], true);
  await configuration.update(settings.server, name, true);
  await eventually('it is chosen', () => servers.current()?.url === url);
}
