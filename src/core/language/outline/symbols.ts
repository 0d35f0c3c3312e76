import type { JsonRange } from '../../json/node';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';
import { canvasNodeName, scopeNode } from '../places/graphNodes';
import type { GraphScope } from '../places/workflowPlace';
import { bareRange } from '../places/jsonPlace';
import { promptNodeName } from '../places/nodeInputs';
import { sourceTextIn } from '../../json/textEdit';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

export type SymbolKind = 'node' | 'input' | 'link' | 'subgraph';

export interface WorkflowSymbol extends JsonRange {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly detail: string;
  /** The range selected on navigation; inside the full range. */
  readonly selection: JsonRange;
  readonly children: readonly WorkflowSymbol[];
}

const longestValue = 60;

/** The outline: nodes by title with their inputs; subgraphs and group nodes with their nodes. */
export function workflowSymbols(doc: WorkflowDocument): WorkflowSymbol[] {
  const { graph, prompt } = doc;
  if (graph) return graphSymbols(graph);
  return prompt ? prompt.nodes.map((node) => nodeSymbol(prompt, node)) : [];
}

function nodeSymbol(prompt: Prompt, node: PromptNode): WorkflowSymbol {
  return {
    kind: 'node',
    name: shown(promptNodeName(node)),
    detail: detailOf(node.classType, promptNodeName(node), node.id),
    offset: node.idNode.offset,
    length: node.node.offset + node.node.length - node.idNode.offset,
    selection: bareRange(node.idNode),
    children: node.inputs.map((input) => inputSymbol(prompt, input)),
  };
}

function inputSymbol(prompt: Prompt, { name, nameNode, valueNode, link }: PromptInput): WorkflowSymbol {
  const source = link && prompt.node(link.nodeId);
  const isScalar = valueNode.kind !== 'object' && valueNode.kind !== 'array';
  const value = isScalar ? cut(sourceTextIn(prompt.document.text, valueNode)) : '';
  return {
    kind: link ? 'link' : 'input',
    name: shown(name),
    detail: link ? `← ${source ? promptNodeName(source) : t`no node ${link.nodeId}`}` : value,
    offset: nameNode.offset,
    length: valueNode.offset + valueNode.length - nameNode.offset,
    selection: bareRange(nameNode),
    children: [],
  };
}

function graphSymbols(graph: Graph): WorkflowSymbol[] {
  const subgraphs = [...graph.subgraphs.values()].map((subgraph): WorkflowSymbol => {
    return {
      kind: 'subgraph',
      name: shown(subgraph.name === '' ? subgraph.id : subgraph.name),
      detail: 'subgraph',
      ...bareRange(subgraph.node),
      selection: bareRange(subgraph.node.get('name') ?? subgraph.node),
      children: nodeSymbols(graph, subgraph),
    };
  });
  const groups = [...graph.groups.values()].map(({ name, node, nodes }): WorkflowSymbol => {
    return {
      kind: 'subgraph',
      name: shown(name),
      detail: t`group node`,
      ...bareRange(node),
      selection: bareRange(node),
      children: nodes.map((inner) => innerSymbol(graph, inner)),
    };
  });
  return [...nodeSymbols(graph, graph), ...subgraphs, ...groups];
}

function innerSymbol(graph: Graph, node: GraphNode): WorkflowSymbol {
  const name = canvasNodeName(graph, node);
  return {
    kind: 'node',
    name: shown(name),
    detail: node.type === name ? '' : node.type,
    ...bareRange(node.node),
    selection: bareRange(node.node.get('title') ?? node.node.get('type') ?? node.node),
    children: [],
  };
}

function nodeSymbols(graph: Graph, scope: GraphScope): WorkflowSymbol[] {
  return scope.nodes.map((node) => graphNodeSymbol(graph, scope, node));
}

function graphNodeSymbol(graph: Graph, scope: GraphScope, node: GraphNode): WorkflowSymbol {
  const inputs = node.inputs.map((input): WorkflowSymbol => {
    const link = input.link === undefined ? undefined : scope.links.get(input.link);
    const source = link && scopeNode(scope, link.originId);
    return {
      kind: link ? 'link' : 'input',
      name: shown(input.name),
      detail: source ? `← ${canvasNodeName(graph, source)}` : input.type,
      ...bareRange(input.node),
      selection: bareRange(input.node.get('name') ?? input.node),
      children: [],
    };
  });
  const name = canvasNodeName(graph, node);
  const mode = node.mode === 'always' ? '' : `, ${node.mode}`;
  const type = graph.subgraphs.get(node.type)?.name ?? node.type;
  return {
    kind: 'node',
    name: shown(name),
    detail: `${detailOf(type, name, node.id)}${mode}`,
    ...bareRange(node.node),
    selection: bareRange(node.node.get('title') ?? node.node.get('type') ?? node.node),
    children: inputs,
  };
}

/** The node type is shown once: it is the name of a node without a title. */
function detailOf(type: string | undefined, name: string, id: string): string {
  return type === undefined || type === name ? `#${id}` : `${type} #${id}`;
}

/** Editors refuse entries without a name. */
function shown(name: string): string {
  return name.trim() === '' ? t`(no name)` : name;
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}
