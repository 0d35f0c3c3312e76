import * as vscode from 'vscode';
import { example, type ExampleKind } from '../../core/language/exampleWorkflow';
import { UserProblem } from '../platform/problems';
import { shown } from '../../core/safety/shownText';

/** Opens a sample in which findings or completion can be tried. It is in no file: nothing has to be cleared away. */
export async function openExample(extensionUri: vscode.Uri, wanted: unknown): Promise<void> {
  const kind: ExampleKind = wanted === 'completion' ? 'completion' : 'mistake';
  const sample = vscode.Uri.joinPath(extensionUri, 'samples', 'text-to-image.json');
  const made = example(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample)), kind);
  if (!made) throw new UserProblem(shown`The sample can't be read.`, shown`Reinstall the extension.`);
  const document = await vscode.workspace.openTextDocument({ language: 'json', content: made.text });
  const at = document.positionAt(made.offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: false });
  await vscode.commands.executeCommand(
    kind === 'mistake' ? 'workbench.actions.view.problems' : 'editor.action.triggerSuggest',
  );
}
