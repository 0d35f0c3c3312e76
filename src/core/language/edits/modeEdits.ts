import { replaceValue, type TextEdit } from '../../json/textEdit';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode, NodeMode } from '../../workflow/graph/graphNode';
import { EditPlan } from '../../json/editPlan';

const modes: Readonly<Record<NodeMode, string>> = { always: '0', muted: '2', bypassed: '4' };

export function modeEdits({ document }: Graph, { node }: GraphNode, mode: NodeMode): TextEdit[] {
  const [value, text] = [node.get('mode'), modes[mode]];
  if (value) return [replaceValue(value, text)];
  const edits = new EditPlan(document.text);
  edits.add(node, 'mode', text);
  return edits.edits();
}
