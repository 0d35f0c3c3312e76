import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../src/core/jobs/job';
import { shown, Shown } from '../../src/core/safety/shownText';
import type { JobSection } from '../../src/host/jobs/jobSection';
import type { Row } from '../../src/host/jobs/jobTree';
import { commands } from '../../src/host/platform/contributions';
import * as show from '../../src/host/platform/show';
import * as showItems from '../../src/host/platform/showItems';
import { StatusItem } from '../../src/host/servers/statusItem';
import { presentStatus } from '../../src/host/servers/statusPresentation';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { smallPrompt } from '../support/promptFile';
import {
  chooseServer,
  eventually,
  jobItemsOf,
  jobSectionOf,
  replaceMember,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

const link = '[click](command:comfyDeck.canary)';
const icon = '$(canary)';
/** A link, an icon, a direction override, a zero-width space and a separate line. */
const canary = `${link} ${icon} \u202Ecanary\u200B\nsecond line`;
const halves = ['[click]', '(command:comfyDeck.canary) $', '(canary)'] as const;

const rawLink = /\[[^\]]*\]\([a-z]+:[^\s)]*canary/i;
const rawIcon = /\$\(canary/;
const acts = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/u;

type Call = (...args: readonly unknown[]) => unknown;

/** Everything that VS Code is asked to show. The user declines every question. */
class Recorder {
  readonly texts: string[] = [];
  readonly #restore: (() => void)[] = [];
  /** The label of the button that is pressed whenever it is offered. */
  press: string | undefined;

  constructor() {
    for (const how of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage']) {
      this.#replace(how, (...args) => {
        this.#note(args);
        return Promise.resolve(args.includes(this.press) ? this.press : undefined);
      });
    }
    for (const how of ['showQuickPick', 'showOpenDialog']) {
      this.#replace(how, (...args) => {
        this.#note(args);
        return Promise.resolve(undefined);
      });
    }
    this.#replace('showInputBox', async (...args) => {
      this.#note(args);
      const [options] = args as readonly vscode.InputBoxOptions[];
      this.#note(await options?.validateInput?.(canary));
    });
    this.#replace('withProgress', (...args) => {
      const [options, work] = args as [unknown, Call];
      this.#note(options);
      const token = new vscode.CancellationTokenSource().token;
      return work({ report: (step: unknown) => this.#note(step) }, token);
    });
    for (const how of ['createQuickPick', 'createStatusBarItem']) {
      const original = Reflect.get(vscode.window, how) as Call;
      this.#replace(how, (...args) => this.#watched(original.apply(vscode.window, [...args]) as object));
    }
  }

  /** Checks that nothing shown since then acts. */
  take(): string[] {
    const texts = this.texts.splice(0);
    for (const text of texts) assertHarmless(text);
    return texts;
  }

  restore(): void {
    for (const putBack of this.#restore) putBack();
  }

  #replace(how: string, value: Call): void {
    this.#restore.push(replaceMember(vscode.window, how, value));
  }

  /** An object that records its properties as they are set. */
  #watched(target: object): object {
    return new Proxy(target, {
      set: (object, name, value) => {
        this.#note(value);
        return Reflect.set(object, name, value, object);
      },
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name, object);
        return typeof value === 'function' ? (value as Call).bind(object) : value;
      },
    });
  }

  #note(value: unknown): void {
    this.texts.push(...textsIn(value));
  }
}

/** All texts in a value, however deep, except the objects behind rows, which are not shown. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Shown || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
    name === 'pick' ? [] : textsIn(part),
  );
}

function assertHarmless(text: string): void {
  assert.doesNotMatch(text, rawLink);
  assert.doesNotMatch(text, rawIcon);
  assert.doesNotMatch(text, acts);
}

/** Texts with the canary at every position, whole and in pieces that only together form it. */
const words: readonly Shown[] = [
  shown`${canary}`,
  shown`before ${canary} after`,
  shown`${halves[0]}${halves[1]}${halves[2]}`,
  shown`[click](${'command:comfyDeck.canary)'} $${'(canary)'}`,
  shown`[${'click'}](command:comfyDeck.${'canary'}) $(${'canary'})`,
  Shown.join([...halves], shown``),
];

describe('outside text neither acts nor hides', () => {
  let recorder: Recorder;
  beforeEach(() => {
    recorder = new Recorder();
  });
  afterEach(() => recorder.restore());

  describe('in all places:', () => {
    for (const [index, text] of words.entries()) {
      it(`notifications, questions, lists, boxes and progress (${index + 1})`, async () => {
        const button = { label: text };
        await show.showInformation(text, button);
        await show.showWarning(text, button);
        await show.showError(text, button);
        await show.askModalQuestion({ message: text, detail: shown`Files:\n${text}` }, button);
        const rows = [{ label: text, description: text, detail: text }];
        await show.pickOne(rows, { title: text, placeHolder: text });
        await show.pickSome(rows, { title: text, placeHolder: text });
        await show.askText({
          title: text,
          prompt: text,
          placeHolder: text,
          problem: (typed) => (index % 2 === 0 ? typed : undefined),
          note: () => text,
        });
        const location = vscode.ProgressLocation.Notification;
        await show.showProgress({ location, title: text }, (progress) => {
          progress.report({ message: text });
          return Promise.resolve();
        });
        const list = new show.LivePick(text, text, '');
        list.picks = rows;
        list.dispose();
        assert.ok(recorder.take().length >= 25, 'every sink was reached');
      });

      it(`rows, items, diagnostics and Markdown (${index + 1})`, () => {
        const range = new vscode.Range(0, 0, 0, 1);
        const item = vscode.window.createStatusBarItem('canary');
        const tooltip = showItems.markdownWithCommands(text);
        showItems.setStatusWords(item, { text, spoken: text, tooltip });
        const link = new vscode.DocumentLink(range);
        showItems.setLinkTooltip(link, text);
        const { command: lens } = showItems.codeLens(range, { title: text, tooltip: text, command: 'x' });
        const words = { label: canary, description: canary, spoken: canary, contextValue: '' };
        const row = showItems.treeItem('row', { ...words, tooltip: text });
        const mark = showItems.shownDiagnostic(range, text, vscode.DiagnosticSeverity.Error);
        const status = {} as vscode.LanguageStatusItem;
        showItems.setLanguageStatusWords(status, { text, detail: text });
        const panel = { title: '' } as vscode.WebviewPanel;
        showItems.setPanelTitle(panel, text);
        const view: Parameters<typeof showItems.setViewWords>[0] = {};
        showItems.setViewWords(view, {
          message: text,
          description: text,
          badge: { value: 1, tooltip: text },
        });
        const others = [link, lens, row, mark.message, status, panel, view].flatMap(textsIn);
        assert.ok(others.length >= 14);
        for (const each of others) assertHarmless(each);
        // Our own brackets are Markdown.
        if (!text.template.join('').includes('[')) assert.doesNotMatch(tooltip.value, /(?<!\\)[[\]()$]/);
        assert.notEqual(tooltip.isTrusted, true);
        item.dispose();
      });
    }
  });

  describe('in a run:', () => {
    let parts: WindowParts;
    let server: FaultySandbox;
    let jobs: JobSection;

    runsTelling('always');
    before(async () => {
      parts = await windowParts();
      server = await startFaultySandbox({ dialect: 'local' });
      await chooseServer(parts, canary, server.url);
      jobs = jobSectionOf(
        parts,
        jobItemsOf(parts, () => canary),
      );
    });
    after(async () => {
      jobs.dispose();
      await server.close();
    });
    afterEach(() => server.faults.clear());

    /** A file name may contain all of it except the line break and the slash. */
    const fileName = `${link} ${icon} \u202Ecanary\u200B.json`;
    const run = async (workflow: unknown): Promise<string | undefined> =>
      vscode.commands.executeCommand<string | undefined>(commands.run, await writeFile(fileName, workflow));
    const told = (): Promise<string[]> =>
      eventually(
        'something is said',
        () => recorder.texts.some((text) => text.includes('canary')) && recorder.texts,
      );
    const ended = (id: string): Promise<Job> =>
      eventually('the job ends', () => {
        const job = parts.store.get(id);
        return job && isTerminal(job.state) ? job : undefined;
      });
    const rowsOf = async (row?: Row): Promise<Row[]> => {
      const children = row ? ((await row.children?.()) ?? []) : await jobs.roots();
      return [...children, ...(await Promise.all(children.map((each) => rowsOf(each)))).flat()];
    };

    it('the message of a server that answers 429', async () => {
      server.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'queueLimit', message: canary });
      assert.equal(await run(smallPrompt()), undefined);
      await told();
      assert.ok(recorder.take().some((text) => text.includes('[click] (command:comfyDeck.canary)')));
    });

    it('the message of a failed node, its title, its row, its diagnostic and the file', async () => {
      const id = await run({
        1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        2: {
          class_type: 'SandboxFail',
          inputs: { value: ['1', 0], how: 'value', message: canary },
          _meta: { title: canary },
        },
        3: {
          class_type: 'SaveImage',
          inputs: { filename_prefix: 'x', images: ['2', 0] },
          _meta: { title: canary },
        },
      });
      assert.ok(id, JSON.stringify(recorder.texts));
      const job = await ended(id);
      assert.match(job.failure?.message ?? '', rawLink);
      await eventually('the end is told', () => recorder.texts.some((text) => text.includes(' failed at ')));
      recorder.take();
      const rows = await rowsOf();
      assert.ok(rows.some((row) => row.kind === 'node' && row.jobId === id));
      for (const row of rows) {
        const { label, description, tooltip, accessibilityInformation } = row.item();
        for (const text of textsIn([label, description, tooltip, accessibilityInformation]))
          assertHarmless(text);
      }
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const uri = vscode.Uri.joinPath(folder.uri, fileName);
      const marks = await eventually('it is marked', () => {
        const found = vscode.languages.getDiagnostics(uri);
        return found.length > 0 && found;
      });
      for (const { message } of marks) assertHarmless(message);
    });

    it('an unknown node type', async () => {
      await run({ 1: { class_type: canary, inputs: { [canary]: canary }, _meta: { title: canary } } });
      await told();
      recorder.take();
    });

    it('the questions before files are sent and credits spent', async () => {
      await parts.consent.upload(
        [{ name: canary, place: canary, description: canary, size: 1, kinds: ['image'], marks: [] }],
        canary,
        canary,
      );
      await parts.consent.spend([{ nodeId: '1', title: canary, classType: canary }]);
      assert.ok(recorder.take().length >= 4);
    });

    it('server names in lists, boxes and the status bar', async () => {
      await vscode.commands.executeCommand(commands.selectServer);
      await vscode.commands.executeCommand(commands.signIn);
      await vscode.commands.executeCommand(commands.checkConnection);
      await vscode.commands.executeCommand(commands.signOut);
      const item = new StatusItem();
      const problem = { problem: canary, nextAction: canary };
      for (const status of [
        { kind: 'unreachable', ...problem },
        { kind: 'reconnecting', reason: canary, heardAt: 0 },
        { kind: 'connected', version: canary, user: canary },
      ] as const) {
        const server = { kind: 'own', name: canary, url: 'http://127.0.0.1:1' } as const;
        item.update(presentStatus(server, status, { running: 1, pending: 1 }));
      }
      item.dispose();
      assert.ok(recorder.take().some((text) => text.includes('canary')));
    });
  });
});
