import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Catalog } from '../../src/core/catalog/catalog';
import type { NodeDefinitions } from '../../src/host/catalogs/definitionSource';
import { LensProvider } from '../../src/host/language/annotationProviders';
import { CheckPages, Checks } from '../../src/host/language/checks';
import { EarlyLenses } from '../../src/host/language/lensFirst';
import { type FileLimits, LargeFileStatus } from '../../src/host/language/largeFileStatus';
import { LocalFiles } from '../../src/host/language/localFiles';
import { WorkflowDocuments } from '../../src/host/language/workflowDocuments';
import { eventually, replaceMember, windowParts, writeFile } from './window';

const loadsImage = { '1': { class_type: 'LoadImage', inputs: { image: 'nowhere.png' } } };

const knowsLoad = JSON.stringify({
  LoadImage: {
    input: { required: { image: [['there.png'], { image_upload: true }] } },
    output: ['IMAGE'],
    output_node: true,
  },
});

/** Node definitions that arrive when the test says so. */
class StandInDefinitions {
  rules: { catalog?: Catalog } = {};
  readonly state = { server: undefined };
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeRules = this.#changed.event;
  #isLoaded: () => void = () => undefined;
  readonly #loading = new Promise<void>((resolve) => (this.#isLoaded = resolve));

  loaded(): Promise<void> {
    return this.#loading;
  }

  take(text: string): void {
    this.rules = { catalog: Catalog.fromText(text) };
    this.#changed.fire();
    this.#isLoaded();
  }
}

interface Told {
  readonly uri: string;
  readonly codes: readonly string[];
}

/** Separate checks, and what they report to the editor. */
function checksOn(definitions: StandInDefinitions, documents: WorkflowDocuments, localFiles: LocalFiles) {
  const told: Told[] = [];
  const collection = {
    set: (uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]) => {
      const codes = diagnostics.map(({ code }) => String(typeof code === 'object' ? code.value : code));
      told.push({ uri: uri.toString(), codes });
    },
    delete: () => undefined,
    dispose: () => undefined,
  };
  const restore = replaceMember(vscode.languages, 'createDiagnosticCollection', () => collection);
  try {
    const checks = new Checks(
      documents,
      definitions as unknown as NodeDefinitions,
      new CheckPages(vscode.Uri.file('/')),
      localFiles,
      { error: (_what: string, error: unknown) => assert.fail(String(error)) } as never,
    );
    return { checks, told };
  } finally {
    restore();
  }
}

function neverCancelled(): vscode.CancellationToken {
  return new vscode.CancellationTokenSource().token;
}

describe('opening a workflow file', () => {
  const owned: { dispose(): unknown }[] = [];
  const own = <T extends { dispose(): unknown }>(part: T): T => {
    owned.push(part);
    return part;
  };
  afterEach(async () => {
    for (const each of owned.splice(0)) each.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function opened(name: string, content: unknown) {
    const document = await vscode.workspace.openTextDocument(await writeFile(name, content));
    const definitions = new StandInDefinitions();
    const documents = own(new WorkflowDocuments());
    const localFiles = own(new LocalFiles());
    const { checks, told } = checksOn(definitions, documents, localFiles);
    own(checks);
    const lenses = own(new LensProvider(documents, definitions, checks));
    let checked = 0;
    own(checks.onDidCheck((each) => (checked += each === document ? 1 : 0)));
    const ofFile = (): readonly Told[] => told.filter(({ uri }) => uri === document.uri.toString());
    return { document, definitions, checks, lenses, told: ofFile, checked: () => checked };
  }

  it('reports its findings once, after reading the cache on disk', async () => {
    const { definitions, told, checked } = await opened('speed-checks.json', loadsImage);
    assert.equal(told().length, 0);
    definitions.take(knowsLoad);
    await eventually('it is checked', () => checked() > 0);
    assert.equal(told().length, 1);
    assert.ok(told()[0]?.codes.includes('file-not-on-server'), told()[0]?.codes.join());

    const before = checked();
    definitions.take(knowsLoad);
    await eventually('it is checked with the new definitions', () => checked() > before);
    assert.equal(told().length, 1, 'the same is told again');
  });

  it('notifies VS Code of code lenses only when those of the same version changed', async () => {
    const { document, definitions, lenses, checked } = await opened('speed-lenses.json', loadsImage);
    let announced = 0;
    own(lenses.onDidChangeCodeLenses(() => announced++));
    definitions.take(knowsLoad);
    await eventually('it is checked', () => checked() > 0);
    assert.equal(announced, 0, 'lenses that nobody was given are announced');
    const given = await lenses.provideCodeLenses(document, neverCancelled());
    assert.ok(given && given.length > 0);

    let before = checked();
    definitions.take(knowsLoad);
    await eventually('it is checked again', () => checked() > before);
    assert.equal(announced, 0, 'the same lenses are announced');

    before = checked();
    definitions.take('{}');
    await eventually('it is checked once more', () => checked() > before);
    assert.equal(announced, 1);
  });

  it('shows lenses before the definitions are loaded, and announces those that follow', async () => {
    const { document, definitions, lenses, checked } = await opened('speed-early.json', loadsImage);
    let announced = 0;
    own(lenses.onDidChangeCodeLenses(() => announced++));
    const titles = async (): Promise<string | undefined> =>
      (await lenses.provideCodeLenses(document, neverCancelled()))
        ?.map(({ command }) => command?.title.replace('$(play) ', ''))
        .join(', ');
    assert.equal(await titles(), 'Run');
    assert.equal(checked(), 0, 'it was checked before the definitions were there');
    definitions.take(knowsLoad);
    await eventually('they are announced', () => announced > 0);
    // How many problems VS Code lists at this moment is not up to these lenses.
    assert.match((await titles()) ?? '', /^Run, (\d+ problems?, )?Run to Here$/);
    assert.equal(announced, 1);
  });

  it('looks up each file that it names once, a few at a time, and reports what is missing once', async () => {
    const workflow = vscode.Uri.file('/workspace/flow.json');
    const asked: string[] = [];
    let running = 0;
    let most = 0;
    const files = own(
      new LocalFiles(async (_workflow, name) => {
        asked.push(name);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        return undefined;
      }),
    );
    let told = 0;
    own(files.onDidChange(() => told++));
    const names = Array.from({ length: 40 }, (_, index) => `picture-${index}.png`);
    for (const name of names) assert.equal(files.has(workflow, name, 'image'), true);
    await Promise.all(names.map((name) => files.find(workflow, name)));
    await files.settled(workflow);
    for (const name of names) assert.equal(files.has(workflow, name, 'image'), false);
    assert.deepEqual([...asked].sort(), [...names].sort());
    assert.equal(told, 1);
    assert.ok(most <= 8, `${most} files were looked for at once`);
  });

  it('loads nothing for code lenses in files that are not workflows', async () => {
    let loads = 0;
    const provider = {
      onDidChangeCodeLenses: () => ({ dispose: () => undefined }),
      provideCodeLenses: () => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0))],
    };
    const early = own(
      new EarlyLenses(() => {
        loads++;
        return Promise.resolve({ lenses: provider });
      }),
    );
    const other = await vscode.workspace.openTextDocument(await writeFile('speed-other.json', { a: 1 }));
    assert.equal(await early.provideCodeLenses(other, neverCancelled()), undefined);
    assert.equal(loads, 0);

    const { document } = await opened('speed-log.json', loadsImage);
    await early.provideCodeLenses(document, neverCancelled());
    await early.provideCodeLenses(document, neverCancelled());
    assert.equal(loads, 2);
    await early.idle();
  });
});

describe('code lenses that are not ready', () => {
  it('are not awaited, and announced when they are', async () => {
    const document = await vscode.workspace.openTextDocument(await writeFile('speed-late.json', loadsImage));
    let isLoaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (isLoaded = resolve));
    const lenses = {
      onDidChangeCodeLenses: () => ({ dispose: () => undefined }),
      provideCodeLenses: () => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0))],
    };
    const early = new EarlyLenses(async () => {
      await loading;
      return { lenses };
    });
    let announced = 0;
    early.onDidChangeCodeLenses(() => announced++);
    assert.equal(await early.provideCodeLenses(document, neverCancelled()), undefined);
    assert.equal(announced, 0);
    isLoaded();
    await eventually('they are announced', () => announced > 0);
    assert.equal((await early.provideCodeLenses(document, neverCancelled()))?.length, 1);
    assert.equal(announced, 1);
    early.dispose();
  });
});

describe('the language status of a large file', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function itemsWith(limits: FileLimits, name: string, content: unknown) {
    const items: { selector?: vscode.DocumentSelector; text?: string; detail?: string }[] = [];
    const restore = replaceMember(vscode.languages, 'createLanguageStatusItem', () => {
      items.push({});
      return items.at(-1);
    });
    const uri = await writeFile(name, content);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await eventually('its tab is in front', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputText && input.uri.path === uri.path;
    });
    await new LargeFileStatus((await windowParts()).log, limits).look();
    restore();
    return { items, uri };
  }

  const limits = { shared: 50 * 2 ** 20, plain: 20 * 2 ** 20, plainLines: 3 };

  it('lists what VS Code turns off', async () => {
    const { items, uri } = await itemsWith(limits, 'speed-large.json', loadsImage);
    assert.deepEqual(items[0]?.selector, { scheme: 'file', pattern: uri.fsPath });
    assert.equal(items[0].text, 'No code lenses');
    assert.equal(
      items[0].detail,
      'VS Code turns them off in files over 20 MB or 3 lines, as well as folding and colors',
    );
  });

  it('is absent for small files and for files that are not workflows', async () => {
    const { items } = await itemsWith({ ...limits, plainLines: 300 }, 'speed-small.json', loadsImage);
    assert.equal(items.length, 0);
    const other = await itemsWith(limits, 'speed-list.json', [1, 2, 3, 4]);
    assert.equal(other.items.length, 0);
  });
});
