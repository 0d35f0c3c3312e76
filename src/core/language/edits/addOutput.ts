import { mapDefined } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { JsonNode } from '../../json/node';
import { writeExact } from '../../json/exactWriter';
import type { Graph } from '../../workflow/graph/graph';
import { linksFrom } from '../../workflow/graph/graphLinks';
import { type GraphNode, linksListedAt } from '../../workflow/graph/graphNode';
import { levelCounters } from '../../workflow/graph/members';
import { isWidget } from '../../workflow/graph/widgets';
import type { Prompt } from '../../workflow/prompt';
import type { EditPlan } from '../../json/editPlan';
import { graphNodeDefinition } from '../places/graphNodes';
import { promptLinkText } from '../places/linkTargets';
import { promptNodeDefinition, outputFitsInput } from '../places/nodeInputs';
import { freeId } from '../places/promptLinks';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

export interface OutputProposal {
  readonly title: string;
  readonly plan: (edits: EditPlan) => void;
}

/** Offered in this order: what saves the pictures, then what only shows them. */
const offered = ['SaveImage', 'PreviewImage'];

/** Ways to add an output node to a workflow: at the last matching output, preferably an unused one. */
export function outputProposals(
  { prompt, graph }: WorkflowDocument,
  catalog: Catalog | undefined,
): OutputProposal[] {
  return offered.flatMap((classType): OutputProposal[] => {
    const definition = catalog?.get(classType);
    const socket = definition?.inputs.find((input) => input.section === 'required' && !isWidget(input));
    if (!definition?.isOutputNode || !socket) return [];
    const wanted = { definition, socket: socket.name, type: socket.spec.type };
    const isFitting = (source: NodeDefinition, slot: number): boolean => {
      const output = source.outputs[slot];
      return output !== undefined && outputFitsInput(output, socket.spec);
    };
    if (graph) return inGraph(graph, catalog, wanted, isFitting);
    return prompt ? inPrompt(prompt, catalog, wanted, isFitting) : [];
  });
}

interface Wanted {
  readonly definition: NodeDefinition;
  readonly socket: string;
  readonly type: string;
}

type Fitting = (source: NodeDefinition, slot: number) => boolean;

function inPrompt(
  prompt: Prompt,
  catalog: Catalog | undefined,
  { definition, socket }: Wanted,
  isFitting: Fitting,
): OutputProposal[] {
  const { root } = prompt;
  const taken = new Set(prompt.nodes.flatMap(({ inputs }) => mapDefined(inputs, ({ link }) => link?.nodeId)));
  const sources = prompt.nodes.flatMap((node) => {
    const source = promptNodeDefinition(node, catalog);
    const slot = source ? source.outputs.findIndex((_, index) => isFitting(source, index)) : -1;
    return slot < 0 ? [] : [{ node, slot }];
  });
  const best = sources.findLast(({ node }) => !taken.has(node.id)) ?? sources.at(-1);
  if (!root || !best) return [];
  const id = freeId(prompt.nodes.map((node) => node.id));
  const values = valuesOf(definition).map(({ name, text }) => `${JSON.stringify(name)}: ${text}`);
  const inputs = [`${JSON.stringify(socket)}: ${promptLinkText(best.node.id, best.slot)}`, ...values];
  const { classType, displayName } = definition;
  const text = `{"inputs": {${inputs.join(', ')}}, "class_type": ${JSON.stringify(classType)}, "_meta": {"title": ${JSON.stringify(displayName)}}}`;
  const name = best.node.title ?? best.node.classType ?? '';
  return [proposal(definition, name, best.node.id, (edits) => edits.add(root, String(id), text))];
}

/** In graphs whose links are lists: the new node goes to the right of its source. */
function inGraph(
  graph: Graph,
  catalog: Catalog | undefined,
  wanted: Wanted,
  isFitting: Fitting,
): OutputProposal[] {
  const { node: root } = graph;
  if (root.kind !== 'object') return [];
  const [nodes, links] = [root.get('nodes'), root.get('links')];
  if (
    nodes?.kind !== 'array' ||
    links?.kind !== 'array' ||
    links.items.some(({ kind }) => kind !== 'array')
  ) {
    return [];
  }
  const sources = graph.nodes.flatMap((node) => {
    const source =
      node.mode === 'always' && node.hasNumericId ? graphNodeDefinition(node, catalog) : undefined;
    const slot = source ? node.outputs.findIndex((_, index) => isFitting(source, index)) : -1;
    const output = node.outputs[slot];
    return output ? [{ node, slot, output }] : [];
  });
  const isFree = ({ node, slot }: (typeof sources)[number]): boolean =>
    linksFrom(graph, node.id, slot).length === 0;
  const best = sources.findLast(isFree) ?? sources.at(-1);
  if (!best) return [];
  const { node, slot, output } = best;
  const next = (items: readonly { readonly id: string }[], what: 'node' | 'link'): number =>
    freeId([...items.map(({ id }) => id), ...levelCounters(root, what).map((counter) => counter.text)]);
  const [id, linkId] = [next(graph.nodes, 'node'), next(graph.rows, 'link')];
  const { definition, type } = wanted;
  const plan = (edits: EditPlan): void => {
    edits.append(nodes, graphNodeText(id, linkId, node, wanted));
    edits.append(links, `[${linkId}, ${node.id}, ${slot}, ${id}, 0, ${JSON.stringify(type)}]`);
    edits.set(
      output.node,
      'links',
      `[${[...linksListedAt(output).map((each) => (/^\d+$/.test(each) ? each : JSON.stringify(each))), linkId].join(', ')}]`,
    );
    edits.set(root, 'last_node_id', String(id));
    edits.set(root, 'last_link_id', String(linkId));
  };
  return [proposal(definition, node.title ?? node.type, node.id, plan)];
}

function graphNodeText(id: number, linkId: number, beside: GraphNode, wanted: Wanted): string {
  const { definition, socket, type } = wanted;
  const [x = 0, y = 0] = numbersOf(beside.node.get('pos'));
  const [width = 200] = numbersOf(beside.node.get('size'));
  const node = JSON.stringify({
    id,
    type: definition.classType,
    pos: [x + width + 60, y],
    size: [320, 280],
    flags: {},
    order: 0,
    mode: 0,
    inputs: [{ name: socket, type, link: linkId }],
    outputs: [],
    properties: { 'Node name for S&R': definition.classType },
  });
  const values = valuesOf(definition).map(({ text }) => text);
  return `${node.slice(0, -1)},"widgets_values":[${values.join(',')}]}`;
}

function proposal(
  { displayName }: NodeDefinition,
  name: string,
  id: string,
  plan: OutputProposal['plan'],
): OutputProposal {
  return { title: t`Add ${displayName} at ${name} (node ${id})`, plan };
}

function valuesOf({ inputs }: NodeDefinition): { readonly name: string; readonly text: string }[] {
  return inputs.flatMap((input) => {
    const { name, section, spec } = input;
    if (section !== 'required' || !isWidget(input)) return [];
    return [{ name, text: writeExact(spec.default ?? '') }];
  });
}

function numbersOf(node: JsonNode | undefined): number[] {
  if (node?.kind !== 'array') return [];
  return node.items.flatMap((item) =>
    item.kind === 'number' && Number.isFinite(item.value) ? [item.value] : [],
  );
}
