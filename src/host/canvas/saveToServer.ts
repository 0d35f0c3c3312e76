import * as vscode from 'vscode';
import type { ServerWorkflows } from '../../core/client/serverWorkflows';
import { indented } from '../../core/json/indentedText';
import { parseJson } from '../../core/json/tree';
import { safeFileName } from '../../core/outputs/outputNames';
import { shown } from '../../core/safety/shownText';
import { documentScheme } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { askText, pickOne, showInformation } from '../platform/show';
import { noWorkflowOpen, readSource } from '../platform/workflowSource';

/** Puts a file among the workflows of a server. @param server its name @throws UserProblem or ServerError */
export async function saveToServer(
  file: vscode.Uri,
  server: string,
  workflows: ServerWorkflows,
): Promise<void> {
  const { workflow, label } = await readSource(file);
  const { text, format } = workflow;
  if (format.kind !== 'graph') throw noWorkflowOpen();
  const typed = await askText({
    title: shown`${server}`,
    prompt: shown`Workflow name`,
    value: stemOf(label),
    problem: () => undefined,
  });
  if (typed === undefined) return;
  const parts = stemOf(typed).split('/');
  const name = `${parts.map((part) => safeFileName(part, 'workflow')).join('/')}.json`;
  const place = `${name} (${server})`;
  let agreed: string | undefined;
  // Each time, another one may have been saved there meanwhile.
  for (;;) {
    const old = await workflows.storedText(name);
    const mayReplace = old !== undefined && old === agreed;
    if (old === text || (await workflows.store(name, text, mayReplace))) break;
    if (old === undefined) throw new UserProblem(shown`${place} can't be read.`, shown`Choose another file.`);
    const compared = await showDifference(name, `${place} ↔ ${label}`, old, text);
    const question = { placeHolder: shown`Replace ${place}?`, ignoreFocusOut: true };
    const answer = await pickOne([{ label: shown`Replace` }], question);
    compared.dispose();
    if (!answer) return;
    agreed = old;
  }
  void showInformation(shown`Saved as ${place}.`);
}

/** Opens the diff editor with both texts laid out alike. */
async function showDifference(
  name: string,
  title: string,
  ...texts: readonly string[]
): Promise<vscode.Disposable> {
  const query = String(Date.now());
  const uris = texts.map((_, at) =>
    vscode.Uri.from({ scheme: documentScheme, authority: `stored-${at}`, path: `/${name}`, query }),
  );
  const provider = vscode.workspace.registerTextDocumentContentProvider(documentScheme, {
    provideTextDocumentContent: (asked) => {
      const text = texts[uris.findIndex((uri) => uri.toString() === asked.toString())];
      return text !== undefined && parseJson(text).problems.length === 0 ? indented(text) : text;
    },
  });
  await vscode.commands.executeCommand('vscode.diff', ...uris, title);
  return provider;
}

function stemOf(name: string): string {
  return name.replace(/\.json$/i, '');
}
