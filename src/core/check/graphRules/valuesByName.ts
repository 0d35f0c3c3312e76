import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { JsonObject, JsonRange } from '../../json/node';
import { writeExact } from '../../json/exactWriter';
import { textOf } from '../../json/textEdit';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { widgetsOf, type WidgetValue } from '../../workflow/graph/widgetValues';
import { isOfPack } from '../flexibleClass';
import { type GraphRule, graphNodeName } from '../graphRule';
import { t } from '../../safety/localize';

/**
 * Values stored by name on ComfyUI's own nodes. Packs that store them this way read them in their own code; for all
 * other nodes the editor expects a list, and falls back to the defaults.
 */
export const valuesByName: GraphRule = ({ level, graph, definitionOf }, report) => {
  for (const node of level.nodes) {
    const values = node.widgetsValues;
    const definition = values?.kind === 'object' ? definitionOf(node) : undefined;
    if (values?.kind !== 'object' || !definition || isOfPack(definition)) continue;
    const stored = widgetsOf(node, definition).filter(({ widget }) => widget.isStored);
    const lost = stored.flatMap(({ widget, valueNode }) => (valueNode ? [widget.name] : []));
    if (lost.length === 0) continue;
    const named = lost.slice(0, 4).join(', ');
    const rest = lost.length - 4;
    report({
      code: 'editor-values-by-name',
      range: keyOf(node, values),
      message:
        rest > 0
          ? t`${graphNodeName(node)} stores its widget values by name, but the ComfyUI editor expects a list, so it loses ${named} and ${rest} more. Convert them to a list.`
          : t`${graphNodeName(node)} stores its widget values by name, but the ComfyUI editor expects a list, so it loses ${named}. Convert them to a list.`,
      fix: {
        kind: 'replaceTexts',
        title: t`Convert Widget Values to a List`,
        places: [{ range: values, text: listOf(node, definition, graph.document.text) }],
      },
    });
  }
};

function keyOf({ node }: GraphNode, values: JsonObject): JsonRange {
  return node.property('widgets_values')?.key ?? values;
}

function listOf(node: GraphNode, definition: NodeDefinition, text: string): string {
  const widgets = widgetsOf(node, definition).filter(({ widget }) => widget.isStored);
  return `[${widgets.map((each) => valueText(each, text)).join(', ')}]`;
}

function valueText({ widget, value, valueNode }: WidgetValue, text: string): string {
  if (valueNode) return textOf(text, valueNode);
  // A seed in the file is meant to stay.
  if (!widget.spec && widget.name === 'control_after_generate') return '"fixed"';
  return value === undefined ? 'null' : writeExact(value);
}
