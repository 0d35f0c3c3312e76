import * as vscode from 'vscode';
import { customEditors } from './contributions';
import { isSameUri } from './sameUri';

export function fileOfTab(input: unknown): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText ? input.uri : fileOfEditor(input);
}

/** The file of a graph or a canvas. */
function fileOfEditor(input: unknown): vscode.Uri | undefined {
  return fileOfGraph(input) ?? fileOfCustom(input, customEditors.canvas);
}

function fileOfGraph(input: unknown): vscode.Uri | undefined {
  return fileOfCustom(input, customEditors.graph);
}

function fileOfCustom(input: unknown, viewType: string): vscode.Uri | undefined {
  return input instanceof vscode.TabInputCustom && input.viewType === viewType ? input.uri : undefined;
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => isSameUri(document.uri, uri));
}

export function columnOfText(file: vscode.Uri): vscode.ViewColumn | undefined {
  const isText = ({ input }: vscode.Tab): boolean =>
    textsOf(input).some((uri) => uri.toString() === file.toString());
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isText))?.viewColumn;
}

function textsOf(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.modified, input.original] : [];
}

export function columnOfGraph(file: vscode.Uri): vscode.ViewColumn | undefined {
  const isGraph = ({ input }: vscode.Tab): boolean => fileOfGraph(input)?.toString() === file.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isGraph))?.viewColumn;
}

export function isGraphInSight(file: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) => fileOfGraph(activeTab?.input)?.toString() === file.toString(),
  );
}

/** The document that commands apply to: that of the active editor, which shows its text, its graph, or its canvas. */
export function activeDocument(): vscode.TextDocument | undefined {
  const file = fileOfEditor(vscode.window.tabGroups.activeTabGroup.activeTab?.input);
  return file ? openDocument(file) : vscode.window.activeTextEditor?.document;
}

export function onDidChangeActiveDocument(listener: () => void): vscode.Disposable {
  const { tabGroups } = vscode.window;
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(listener),
    tabGroups.onDidChangeTabs(listener),
    tabGroups.onDidChangeTabGroups(listener),
  );
}

export function documentsInSight(): readonly vscode.TextDocument[] {
  const files = vscode.window.tabGroups.all.map(({ activeTab }) => fileOfEditor(activeTab?.input));
  const texts = vscode.window.visibleTextEditors.map(({ document }) => document);
  return [...new Set([...texts, ...files.map((uri) => uri && openDocument(uri))])].filter(
    (each) => each !== undefined,
  );
}

const selectedPlaces = new WeakMap<vscode.TextDocument, () => number | undefined>();

export function keepSelectedPlace(
  document: vscode.TextDocument,
  place: () => number | undefined,
): vscode.Disposable {
  selectedPlaces.set(document, place);
  return new vscode.Disposable(() => {
    if (selectedPlaces.get(document) === place) selectedPlaces.delete(document);
  });
}

/** The offset of the cursor, or of the selected node of a graph. */
export function activeOffset(): number | undefined {
  const document = activeDocument();
  const editor = vscode.window.activeTextEditor;
  if (!document || editor?.document === document) return editor?.document.offsetAt(editor.selection.active);
  return selectedPlaces.get(document)?.();
}
