import * as vscode from 'vscode';
import { type ListedNode, nodeList } from '../../core/language/outline/nodeList';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { shown } from '../../core/safety/shownText';
import { definedFields } from '../platform/defined';
import { LivePick, type ListRow } from '../platform/show';
import { rangeIn } from '../platform/editorRanges';

type Row = ListRow & { readonly node?: ListedNode };

/** Lists the nodes of a workflow, because VS Code's own *Go to Symbol* mixes them with every key of the JSON. */
export function goToNode(editor: vscode.TextEditor, workflow: WorkflowDocument): void {
  const { document, selections, visibleRanges } = editor;
  const pick = new LivePick<Row>(shown`Go to Node`, shown`Enter a node's title, type, or ID`, '');
  let isTaken = false;
  const select = ({ node }: Row): void => {
    if (!node) return;
    const range = rangeIn(document, node.selection);
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  pick.picks = rowsOf(nodeList(workflow));
  pick.matchOnDescription = true;
  let isOpen = false;
  pick.onDidMove((row) => {
    // The first entry is active when the list opens, but the user has not chosen it yet.
    if (row && isOpen) select(row);
    isOpen = true;
  });
  pick.onDidAccept((row) => {
    if (row) select(row);
    isTaken = true;
    pick.dispose();
    void vscode.window.showTextDocument(document, definedFields({ viewColumn: editor.viewColumn }));
  });
  pick.onDidHide(() => {
    const [seen] = visibleRanges;
    if (!isTaken) {
      editor.selections = selections;
      if (seen) editor.revealRange(seen, vscode.TextEditorRevealType.AtTop);
    }
    pick.dispose();
  });
  pick.show();
}

function rowsOf(nodes: readonly ListedNode[]): Row[] {
  let within: string | undefined;
  return nodes.flatMap((node): Row[] => {
    const row = { label: shown`$(symbol-class) ${node.name}`, description: shown`${node.detail}`, node };
    if (node.within === within) return [row];
    within = node.within;
    return [{ label: shown`${within ?? ''}`, isSeparator: true }, row];
  });
}
