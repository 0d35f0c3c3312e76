import * as vscode from 'vscode';
import { typesToRefresh } from '../../core/language/typesToRefresh';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import type { Log } from '../platform/log';
import { isWorkedOn, type WorkflowDocuments } from './workflowDocuments';

/** Windows that gain the focus do not ask more often than this (ms). */
const focusRest = 30_000;
/** More classes than this are not asked for at a time. */
const mostClasses = 10;

/**
 * Who comes back to the window may have added a model, or a pack: the classes of the workflows in sight are asked for
 * again, and the findings follow. Without a workflow in sight nothing is sent.
 */
export function refreshOnFocus(
  documents: WorkflowDocuments,
  definitions: NodeDefinitions,
  log: Log,
): vscode.Disposable {
  let lookedAt = 0;
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    const { catalog } = definitions.rules;
    if (!focused || !catalog || Date.now() - lookedAt < focusRest) return;
    // What the sandbox has does not change.
    if (definitions.state.server?.kind === 'sandbox') return;
    const inSight = vscode.window.visibleTextEditors.flatMap(({ document }) =>
      isWorkedOn(document) ? (documents.of(document) ?? []) : [],
    );
    const classTypes = new Set(inSight.flatMap((each) => typesToRefresh(each, catalog, mostClasses)));
    if (classTypes.size === 0) return;
    lookedAt = Date.now();
    definitions
      .lookAgain([...classTypes].slice(0, mostClasses))
      .catch((error: unknown) => log.error('Asking for node definitions again', error));
  });
}
