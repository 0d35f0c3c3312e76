import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { codes, isRunCode } from '../../src/core/check/codes';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, notify, services, useSandbox, writeFile } from './window';

type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

/** The small workflow with a change. */
function workflowWith(change: (nodes: Nodes) => void): Nodes {
  const nodes = smallPrompt() as Nodes;
  change(nodes);
  return nodes;
}

function node(nodes: Nodes, id: string): Nodes[string] {
  const found = nodes[id];
  assert.ok(found);
  return found;
}

async function show(name: string, content: unknown): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(await writeFile(name, content));
  return vscode.window.showTextDocument(document);
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

function found(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Comfy Deck');
}

function seen(uri: vscode.Uri, code: string): Promise<vscode.Diagnostic> {
  return eventually(`the finding ${code}`, () => found(uri).find((each) => codeOf(each) === code));
}

/** The position of a text in a document; `into` counts from its start. */
function at(document: vscode.TextDocument, text: string, into = 0): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${text} is not in the file`);
  return document.positionAt(offset + into);
}

function ask<T>(command: string, ...args: readonly unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

describe('a workflow file in the editor', () => {
  let parts: Services;
  let answers: Answers;

  before(async () => {
    const first = new Answers();
    parts = await useSandbox();
    first.restore();
    await notify('never');
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
    // The definitions have arrived once an unknown node type is reported.
    const { document } = await show(
      'warm.json',
      workflowWith((nodes) => {
        node(nodes, '4').class_type = 'NodeThatIsNowhere';
      }),
    );
    await seen(document.uri, 'unknown-class');
  });
  after(async () => {
    await notify(undefined);
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, undefined, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(async () => {
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it("marks what the server would refuse at its exact place, with a link to the code's page", async () => {
    const { document } = await show(
      'high.json',
      workflowWith((nodes) => {
        node(nodes, '5').inputs['steps'] = 1_000_000;
      }),
    );
    const diagnostic = await seen(document.uri, 'above-maximum');
    assert.equal(document.getText(diagnostic.range), '1000000');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Error);
    assert.ok(typeof diagnostic.code === 'object');
    const { target } = diagnostic.code;
    assert.match(target.path, /\/docs\/checks\.md$/);
    const page = readFileSync(target.fsPath, 'utf8').split('\n');
    await eventually('the page is read', () => found(document.uri).length > 0);
    if (target.fragment !== '') {
      assert.match(page[Number(target.fragment.slice(1)) - 1] ?? '', /above-maximum/);
    }
  });

  describe('pasted as plain text', () => {
    /** The text pasted into a new file that VS Code detects as this language. */
    const paste = async (content: string, language = 'plaintext'): Promise<vscode.TextDocument> => {
      const document = await vscode.workspace.openTextDocument({ language, content: '' });
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), content));
      return document;
    };
    const offers = () =>
      answers.texts('showInformationMessage').filter((text) => text.includes('Switch to JSON'));
    const text = JSON.stringify(smallPrompt());

    afterEach(async () => {
      // Nobody answers whether to save them.
      for (let left = 2; left > 0; left--)
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('is offered the JSON language mode, and then checked', async () => {
      answers.press('Switch to JSON');
      await paste('Just a note: { "class_type": 1 }');
      const document = await paste(text.replace('"steps":2', '"steps":1000000'));
      const json = await eventually('JSON is chosen', () =>
        vscode.workspace.textDocuments.find(
          ({ uri, languageId }) => uri.toString() === document.uri.toString() && languageId === 'json',
        ),
      );
      await seen(json.uri, 'above-maximum');
      assert.equal(offers().length, 1, 'only the workflow is asked about');
    });

    it('asks once', async () => {
      const document = await paste(text);
      await eventually('the offer', () => offers().length === 1);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '\n');
      await vscode.workspace.applyEdit(edit);
      // The second one is asked about after the first could have been asked about again.
      await paste(text);
      await eventually('the other offer', () => offers().length === 2);
      assert.equal(document.languageId, 'plaintext');
    });
  });

  it('adds and removes findings as you type, and clears them on close', async () => {
    const { document } = await show('typed.json', smallPrompt());
    const edit = new vscode.WorkspaceEdit();
    const start = at(document, '"steps": 2', 9);
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 1)), '"many"');
    await vscode.workspace.applyEdit(edit);
    await seen(document.uri, 'value-type');
    await vscode.commands.executeCommand('undo');
    await eventually('it is gone', () => found(document.uri).every((each) => codeOf(each) !== 'value-type'));
    await vscode.commands.executeCommand('redo');
    await seen(document.uri, 'value-type');
    const { uri } = document;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually('they are cleared', () => found(uri).length === 0);
  });

  it('reports and offers nothing in other JSON files', async () => {
    const { document } = await show('package-like.json', {
      name: 'x',
      inputs: { a: 1 },
      scripts: { b: 'c' },
    });
    const position = at(document, '"name"', 2);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    assert.deepEqual(lenses, []);
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
    assert.deepEqual(hovers, []);
    assert.deepEqual(found(document.uri), []);
  });

  it("leaves invalid JSON to VS Code, and reports it when VS Code's validation is off", async () => {
    const text = JSON.stringify(smallPrompt(), null, 2).replace('"KSampler",', '"KSampler"');
    const { document } = await show('broken.json', text);
    const all = (): string[] =>
      vscode.languages.getDiagnostics(document.uri).map(({ source }) => source ?? '');
    await eventually('it is marked', () => all().includes('json'));
    assert.deepEqual(
      found(document.uri).filter((each) => codeOf(each) === 'json-syntax'),
      [],
    );
    const configuration = vscode.workspace.getConfiguration('json', document.uri);
    await configuration.update('validate.enable', false, true);
    await seen(document.uri, 'json-syntax');
    await configuration.update('validate.enable', undefined, true);
  });

  it('applies severities and suppressions from the settings', async () => {
    const { document } = await show(
      'extra.json',
      workflowWith((nodes) => {
        node(nodes, '4').inputs['colour'] = 1;
      }),
    );
    const first = await seen(document.uri, 'unknown-input');
    assert.equal(first.severity, vscode.DiagnosticSeverity.Warning);
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settings.checkSeverity, { 'unknown-input': 'error' }, true);
    await eventually('it is an error', () =>
      found(document.uri).some(
        (each) => codeOf(each) === 'unknown-input' && each.severity === vscode.DiagnosticSeverity.Error,
      ),
    );
    await configuration.update(settings.checkSeverity, undefined, true);
    await vscode.commands.executeCommand(commands.suppressCheck, 'unknown-input');
    await eventually('it is not reported', () =>
      found(document.uri).every((each) => codeOf(each) !== 'unknown-input'),
    );
    await vscode.workspace.getConfiguration().update(settings.suppressedChecks, undefined, false);
  });

  it('offers exactly the codes of the table in the settings', () => {
    const manifest = JSON.parse(
      readFileSync(
        vscode.Uri.joinPath(
          vscode.extensions.getExtension('comfy-deck.comfy-deck')?.extensionUri ?? vscode.Uri.file('/'),
          'package.json',
        ).fsPath,
        'utf8',
      ),
    ) as {
      contributes: {
        configuration: {
          properties: Record<string, { propertyNames?: { enum: string[] }; items?: { enum: string[] } }>;
        };
      };
    };
    const { properties } = manifest.contributes.configuration;
    const table = [...codes.keys()].filter((code) => !isRunCode(code)).sort();
    assert.deepEqual([...(properties[settings.checkSeverity]?.propertyNames?.enum ?? [])].sort(), table);
    assert.deepEqual([...(properties[settings.suppressedChecks]?.items?.enum ?? [])].sort(), table);
  });

  it('fixes a finding, and everything fixable on save', async () => {
    const wrong = workflowWith((nodes) => {
      node(nodes, '5').inputs['sampler_name'] = 'Euler';
    });
    const { document } = await show('fix.json', wrong);
    const diagnostic = await seen(document.uri, 'option-spelling');
    const actions = await ask<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
    );
    const fix = actions.find(({ isPreferred, edit }) => isPreferred === true && edit);
    assert.ok(fix?.edit, `offered: ${actions.map(({ title }) => title).join(', ')}`);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /"sampler_name": "euler"/);
    await eventually('the finding is gone', () =>
      found(document.uri).every((each) => codeOf(each) !== 'option-spelling'),
    );
    await vscode.commands.executeCommand('undo');
    await seen(document.uri, 'option-spelling');
    const all = await ask<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(0, 0, 0, 1),
      'source.fixAll.comfyDeck',
    );
    assert.equal(all.length, 1);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('completes node types and matching links', async () => {
    const { document } = await show('complete.json', smallPrompt());
    const complete = async (position: vscode.Position): Promise<string[]> => {
      const list = await ask<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await complete(at(document, '"KSampler"', 3))).includes('KSamplerAdvanced'));
    const links = await complete(at(document, '"latent_image": [', 17));
    assert.ok(
      links.some((label) => label.includes('4')),
      `offered: ${links.join(', ')}`,
    );
  });

  it('explains, navigates to, finds and renames nodes', async () => {
    const { document } = await show('names.json', smallPrompt());
    const { uri } = document;
    const hovers = await ask<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at(document, '"KSampler"', 3),
    );
    const words = hovers.flatMap(({ contents }) =>
      contents.map((each) => (each instanceof vscode.MarkdownString ? each.value : '')),
    );
    assert.match(words.join('\n'), /KSampler/);
    const link = at(document, '"latent_image": [', 0).translate(1, 0);
    const inLink = document.lineAt(link.line).range.end.translate(0, -2);
    const [definition] = await ask<vscode.LocationLink[]>('vscode.executeDefinitionProvider', uri, inLink);
    assert.ok(definition);
    assert.match(document.getText(definition.targetRange), /EmptyLatentImage/);
    const references = await ask<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      uri,
      at(document, '"1": {', 1),
    );
    assert.equal(references.length, 5);
    const edit = await ask<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      uri,
      at(document, '"1": {', 1),
      'loader',
    );
    await vscode.workspace.applyEdit(edit);
    const renamed = JSON.parse(document.getText()) as Nodes;
    assert.deepEqual(node(renamed, '5').inputs['model'], ['loader', 0]);
    assert.deepEqual(node(renamed, '6').inputs['vae'], ['loader', 2]);
    assert.ok(renamed['loader']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('outlines, folds, colors and annotates', async () => {
    const { document } = await show('look.json', smallPrompt());
    const { uri } = document;
    const symbols = await ask<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', uri);
    assert.ok(symbols.some(({ name }) => name.includes('KSampler')));
    const folds = await ask<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', uri);
    assert.ok(folds.length >= 7);
    const legend = await ask<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', uri);
    assert.ok(legend.tokenTypes.includes('comfyClassType'));
    const tokens = await ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', uri);
    assert.ok(tokens.data.length > 20);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await ask<vscode.InlayHint[]>('vscode.executeInlayHintProvider', uri, whole);
    assert.ok(hints.length > 0);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const used = lenses.map(({ command }) => command?.command);
    for (const each of [commands.run, commands.runWithNewSeeds, commands.runToHere]) {
      assert.ok(used.includes(each), `no lens for ${each}`);
    }
    await vscode.workspace.getConfiguration().update(settings.codeLenses, false, true);
    assert.deepEqual(await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri), []);
    await vscode.workspace.getConfiguration().update(settings.codeLenses, undefined, true);
  });

  it('links workspace pictures that inputs name', async () => {
    await writeFile('input/linked.png', 'not a picture');
    const { document } = await show('links.json', {
      '1': { class_type: 'LoadImage', inputs: { image: 'linked.png' } },
      '2': { class_type: 'LoadImage', inputs: { image: '../outside.png' } },
      '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    });
    const links = await ask<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    assert.deepEqual(
      links.map(({ target }) => target?.path.split('/').slice(-2).join('/')),
      ['input/linked.png'],
    );
  });

  it('shows the workspace picture that an input names', async () => {
    const picture = await writeFile('input/shown (1).png', 'not a picture');
    const { document } = await show('pictures.json', {
      '1': { class_type: 'LoadImage', inputs: { image: 'shown (1).png' } },
      '2': { class_type: 'LoadImage', inputs: { image: '../outside.png' } },
      '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    });
    const pictures = async (text: string): Promise<string[]> => {
      const command = 'vscode.executeHoverProvider';
      const hovers = await ask<vscode.Hover[]>(command, document.uri, at(document, text, 3));
      return hovers
        .flatMap(({ contents }) => contents as vscode.MarkdownString[])
        .map(({ value }) => value)
        .filter((each) => each.includes('!['));
    };
    assert.deepEqual(await pictures('"shown (1).png"'), [`![](${picture.toString()}|width=256)`]);
    assert.ok(!picture.toString().includes('('));
    assert.deepEqual(await pictures('"../outside.png"'), []);
  });

  it('runs up to an output, and nothing else', async () => {
    const nodes: Nodes = {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'one', images: ['1', 0] } },
      '3': { class_type: 'SaveImage', inputs: { filename_prefix: 'other', images: ['1', 0] } },
    };
    const uri = await writeFile('partial.json', nodes);
    const id = await vscode.commands.executeCommand<string>(commands.runToHere, uri, '2');
    assert.ok(id, JSON.stringify(answers.shown));
    const job = await eventually('it ends', () => {
      const known = parts.store.get(id);
      return known?.state === 'completed' ? known : undefined;
    });
    const outputs = (await parts.servers.details(job)).outputs.map(({ nodeId }) => nodeId);
    assert.deepEqual([...new Set(outputs)], ['2']);
  });

  it('shows in the language status which definitions are used', async () => {
    const { presentDefinitions } = await import('../../src/host/language/definitionsStatus');
    const none = presentDefinitions({
      server: undefined,
      known: undefined,
      reading: false,
      problem: undefined,
    });
    assert.equal(none.text.line(), 'Structure only');
    assert.equal(none.isFull, false);
    assert.equal((await services()).servers.current()?.kind, 'sandbox');
  });

  describe('saved by the ComfyUI editor', () => {
    it('is checked, annotated and shown as the prompt that would run', async () => {
      const { document } = await show('page-graph.json', smallGraph(0));
      const diagnostic = await seen(document.uri, 'below-minimum');
      assert.equal(document.getText(diagnostic.range), '0');
      await vscode.commands.executeCommand(commands.showPrompt, document.uri);
      const prompt = await eventually('the prompt is shown', () =>
        vscode.workspace.textDocuments.find(
          ({ uri }) => uri.scheme === 'comfy-deck' && uri.authority === 'prompt',
        ),
      );
      const shown = (): Nodes => JSON.parse(prompt.getText()) as Nodes;
      assert.equal(node(shown(), '1').inputs['width'], 0);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, diagnostic.range, '128');
      await vscode.workspace.applyEdit(edit);
      await eventually('the prompt follows', () => node(shown(), '1').inputs['width'] === 128);
      await eventually('the finding is gone', () =>
        found(document.uri).every((each) => codeOf(each) !== 'below-minimum'),
      );
      await vscode.commands.executeCommand('workbench.action.files.revert', document.uri);
    });

    it('can ask the server again for an unknown node type', async () => {
      const text = JSON.stringify(smallGraph(), null, 2).replace('"SaveImage"', '"SaveImagex"');
      const { document } = await show('graph-ask.json', text);
      const { range } = await seen(document.uri, 'unknown-class');
      const actions = await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, range);
      const again = actions.find(({ title }) => title.startsWith('Check the Server Again'));
      assert.deepEqual(again?.command?.arguments, ['SaveImagex']);
      const packs = actions.filter(({ title }) => title.includes('Pack'));
      assert.equal(packs.length, 1, packs.map(({ title }) => title).join(', '));
    });

    it('lists in one line at the top what the sandbox lacks, and offers another server', async () => {
      const text = JSON.stringify(smallGraph(), null, 2).replace('"SaveImage"', '"NodeThatIsNowhere"');
      const { document } = await show('graph-lacks.json', text);
      const { range, message } = await seen(document.uri, 'unknown-class');
      assert.match(message, /^Uses 1 node type that the sandbox doesn't have: NodeThatIsNowhere\./);
      assert.deepEqual([range.start.line, range.start.character], [0, 0]);
      const titles = async (where: vscode.Range): Promise<string[]> => {
        const command = 'vscode.executeCodeActionProvider';
        const actions = await ask<vscode.CodeAction[]>(command, document.uri, where);
        return actions.map(({ title }) => title);
      };
      assert.ok((await titles(range)).includes('Select Another Server'));
      const place = at(document, '"NodeThatIsNowhere"');
      const packs = (await titles(new vscode.Range(place, place))).filter((each) => each.includes('Pack'));
      assert.equal(packs.length, 1, packs.join(', '));
      assert.equal(await vscode.commands.executeCommand(commands.run, document.uri), undefined);
      const missing = found(document.uri).filter(({ source }) => source === 'Comfy Deck');
      assert.equal(missing.length, 1, missing.map((each) => each.message).join(' | '));
    });

    it('runs up to the output that the cursor is in', async () => {
      const editor = await show('graph-cursor.json', smallGraph());
      const { document } = editor;
      editor.selection = new vscode.Selection(at(document, '"EmptyImage"'), at(document, '"EmptyImage"'));
      assert.equal(await vscode.commands.executeCommand(commands.runToHere), undefined);
      assert.match(answers.texts('showErrorMessage').join(), /no output node here/);
      editor.selection = new vscode.Selection(at(document, '"SaveImage"'), at(document, '"SaveImage"'));
      const id = await vscode.commands.executeCommand<string>(commands.runToHere);
      assert.deepEqual((await parts.submitted.of(id))?.targets, ['2']);
      await eventually('it ends', () => parts.store.get(id)?.state === 'completed');
    });

    it('runs as it is, and its picture contains the graph', async () => {
      const uri = await writeFile('graph-run.json', smallGraph());
      const id = await vscode.commands.executeCommand<string>(commands.run, uri);
      assert.ok(id, JSON.stringify(answers.shown));
      await eventually('it ends', () => parts.store.get(id)?.state === 'completed');
      const [saved] = await eventually('its picture is saved', () => {
        const files = parts.saved.of(id);
        return files.length > 0 ? files : undefined;
      });
      assert.ok(saved);
      answers.pick('Graph');
      await vscode.commands.executeCommand(commands.openFromPicture, vscode.Uri.file(saved.location));
      const opened = vscode.window.activeTextEditor?.document;
      assert.equal(opened?.languageId, 'json', JSON.stringify(answers.shown));
      assert.deepEqual((JSON.parse(opened.getText()) as { nodes: unknown }).nodes, smallGraph()['nodes']);
    });

    it('shows server errors at their place in the graph', async () => {
      const text = JSON.stringify(smallGraph(), null, 2).replace('"SaveImage"', '"SaveImagex"');
      const { document } = await show('graph-wrong.json', text);
      assert.equal(await vscode.commands.executeCommand(commands.run, document.uri), undefined);
      const marks = await eventually('a mark', () => {
        const errors = found(document.uri).filter(
          ({ severity }) => severity === vscode.DiagnosticSeverity.Error,
        );
        return errors.length > 0 ? errors : undefined;
      });
      assert.deepEqual([...new Set(marks.map(({ range }) => document.getText(range)))], ['"SaveImagex"']);
    });

    it('does not report a picture in the workspace, and notices when it appears or disappears', async () => {
      const graph = {
        '1': { class_type: 'LoadImage', inputs: { image: 'soon.png' } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
      };
      const { document } = await show('names-a-picture.json', graph);
      await seen(document.uri, 'file-not-on-server');
      const picture = await writeFile('soon.png', '');
      await eventually('the warning goes', () => found(document.uri).length === 0);
      await vscode.workspace.fs.delete(picture);
      await seen(document.uri, 'file-not-on-server');
    });

    it('asks before writing without the values of nodes that the server lacks', async () => {
      const far = { id: 8, type: 'NodeThatIsNowhere', title: 'Far', outputs: [{ name: 'x', type: '*' }] };
      const graph = { nodes: [{ ...far, widgets_values: [1, 2] }], links: [], version: 0.4 };
      const uri = await writeFile('graph-loses.json', graph);
      const target = vscode.Uri.joinPath(uri, '..', 'lost.json');
      const original = vscode.window.showSaveDialog;
      Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
      const wasWritten = async (): Promise<boolean> =>
        vscode.workspace.fs.stat(target).then(
          () => true,
          () => false,
        );
      try {
        await vscode.commands.executeCommand(commands.exportApi, uri);
        assert.equal(await wasWritten(), false);
        const [question = ''] = answers.texts('showWarningMessage');
        assert.match(question, /loses values or links of 1 node/);
        answers.press('Export Anyway');
        await vscode.commands.executeCommand(commands.exportApi, uri);
        assert.equal(await wasWritten(), true);
      } finally {
        Object.assign(vscode.window, { showSaveDialog: original });
      }
      const before = vscode.workspace.textDocuments.length;
      await vscode.commands.executeCommand(commands.convertToApi, uri);
      assert.equal(vscode.workspace.textDocuments.length, before);
      await vscode.commands.executeCommand(commands.showPrompt, uri);
      assert.match(answers.texts('showWarningMessage').at(-1) ?? '', /Far \(node 8\) loses its 2 values/);
    });

    it('is exported in the API format', async () => {
      const uri = await writeFile('graph-export.json', smallGraph());
      const target = vscode.Uri.joinPath(uri, '..', 'exported.json');
      const original = vscode.window.showSaveDialog;
      Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
      try {
        await vscode.commands.executeCommand(commands.exportApi, uri);
      } finally {
        Object.assign(vscode.window, { showSaveDialog: original });
      }
      const bytes = await vscode.workspace.fs.readFile(target);
      const exported = JSON.parse(new TextDecoder().decode(bytes)) as Nodes;
      assert.deepEqual(node(exported, '2').inputs, { images: ['1', 0], filename_prefix: 'graph' });
      assert.equal(exported['1']?.class_type, 'EmptyImage');
    });
  });
});
