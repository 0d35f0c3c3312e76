import type { Catalog } from '../../catalog/catalog';
import { type JsonRange, rangeEnd } from '../../json/node';
import { partNode } from '../../workflow/graph/graphLinks';
import type { Graph } from '../../workflow/graph/graph';
import { isControlMode } from '../../workflow/graph/extraWidgets';
import { nodeWidgetValues } from '../../workflow/graph/widgetValues';
import type { Prompt } from '../../workflow/prompt';
import { graphNodeDefinition, endText } from '../places/graphNodes';
import { graphScopes } from '../places/workflowPlace';
import { promptNodeName, linkedOutput } from '../places/nodeInputs';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  readonly side: 'before' | 'after';
  readonly kind: 'link' | 'widget' | 'seedControl';
  readonly tooltip?: string | undefined;
}

/** Titles beside links, names beside widget values of graph files, and what happens to a seed after a run. */
export function inlayHints(doc: WorkflowDocument, range: JsonRange, catalog?: Catalog): InlayHint[] {
  const { graph, prompt } = doc;
  if (graph) return graphHints(graph, range, catalog);
  return prompt ? promptHints(prompt, range, catalog) : [];
}

function promptHints(prompt: Prompt, range: JsonRange, catalog: Catalog | undefined): InlayHint[] {
  return nodesIn(prompt.nodes, range).flatMap(({ inputs }) => {
    return inputs.flatMap(({ link, valueNode }): InlayHint[] => {
      const source = link && prompt.node(link.nodeId);
      if (!source) return [];
      const name = linkedOutput(prompt, link, catalog)?.name ?? String(link.slot);
      return [hintAfter(valueNode, `${promptNodeName(source, catalog)} · ${name}`)];
    });
  });
}

function graphHints(graph: Graph, range: JsonRange, catalog: Catalog | undefined): InlayHint[] {
  return graphScopes(graph).flatMap((scope) => {
    const nodes = nodesIn(scope.nodes, range);
    const slots = nodes.flatMap((node) => {
      return node.inputs.flatMap((input): InlayHint[] => {
        const link = input.link === undefined ? undefined : scope.links.get(input.link);
        const value = input.node.get('link');
        return link && value ? [hintAfter(value, endText(graph, scope, link, 'origin', catalog))] : [];
      });
    });
    const table = scope.rows
      .filter(({ node }) => overlaps(node, range))
      .flatMap((link): InlayHint[] => {
        const [origin, target] = [partNode(link, 'originSlot'), partNode(link, 'targetSlot')];
        return [
          ...(origin ? [hintAfter(origin, endText(graph, scope, link, 'origin', catalog))] : []),
          ...(target ? [hintAfter(target, endText(graph, scope, link, 'target', catalog))] : []),
        ];
      });
    return [...slots, ...nodes.flatMap((node) => widgetHints(node, catalog)), ...table];
  });
}

function widgetHints(node: Graph['nodes'][number], catalog: Catalog | undefined): InlayHint[] {
  const definition = graphNodeDefinition(node, catalog);
  if (!definition || node.widgetsValues?.kind !== 'array') return [];
  return nodeWidgetValues(node, definition).flatMap(({ widget, valueNode }): InlayHint[] => {
    if (!valueNode) return [];
    const isControl =
      widget.spec === undefined && valueNode.kind === 'string' && isControlMode(valueNode.value);
    return [
      {
        offset: valueNode.offset,
        label: isControl ? t`after each run` : widget.name,
        side: 'before',
        kind: isControl ? 'seedControl' : 'widget',
        tooltip: widget.spec?.tooltip,
      },
    ];
  });
}

function hintAfter(value: JsonRange, label: string): InlayHint {
  return { offset: rangeEnd(value), label, side: 'after', kind: 'link' };
}

function nodesIn<T extends { readonly node: JsonRange }>(nodes: readonly T[], range: JsonRange): T[] {
  return nodes.filter(({ node }) => overlaps(node, range));
}

function overlaps(a: JsonRange, b: JsonRange): boolean {
  return a.offset <= rangeEnd(b) && b.offset <= rangeEnd(a);
}
