import { rangeEnd } from '../../json/node';
import type { Catalog } from '../../catalog/catalog';
import { type TextEdit, sourceTextIn } from '../../json/textEdit';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';
import { newSeedEdits, type RandomSeed } from '../../workflow/seeds';
import { EditPlan } from '../../json/editPlan';
import { canvasNodeName } from '../places/graphNodes';
import { fixedSeeds, newGraphSeeds } from '../places/graphSeeds';
import { memberEdits } from '../../json/editPlan';
import { modeEdits } from './modeEdits';
import { promptNodeDefinition, expandedInputs, promptNodeName } from '../places/nodeInputs';
import { findConsumers, findRequirements } from '../places/promptLinks';
import { graphRowActions, promptRowActions } from './rows';
import { type WorkflowPlace, workflowPlaceAt } from '../places/workflowPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { unwrapEdits, wrapEdits } from './wrapping';
import { t } from '../../safety/localize';
import { areCompatible } from '../../check/typeCompatibility';

export type ActionName =
  | 'convertToApi'
  | 'newSeed'
  | 'newSeeds'
  | 'fixSeed'
  | 'bypassNode'
  | 'addRow'
  | 'removeRow'
  | 'removeUnused'
  | 'wrapPost'
  | 'unwrapPost'
  | 'sortNodes';

/** A refactoring at the cursor. `convertToApi` has no edits: it opens the result of `convertToApi`. */
export interface Action {
  readonly name: ActionName;
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export interface ActionContext {
  readonly catalog?: Catalog | undefined;
  /** Draws new seeds; without it none are offered. */
  readonly randomSeed?: RandomSeed | undefined;
}

/** The actions at an offset; none while the text is invalid JSON. */
export function workflowActions(
  doc: WorkflowDocument,
  offset: number,
  context: ActionContext = {},
): Action[] {
  const { format, graph, prompt } = doc;
  if (format.kind === 'none') return [];
  const place = workflowPlaceAt(doc, offset);
  const found = graph
    ? graphActions(graph, place, context)
    : prompt
      ? promptActions(prompt, place, context)
      : [];
  return [
    ...found,
    ...(prompt ? action('wrapPost', t`Wrap as Request Body`, wrapEdits(doc)) : []),
    ...action('unwrapPost', t`Keep Only the Workflow`, unwrapEdits(doc)),
  ];
}

function promptActions(
  prompt: Prompt,
  place: WorkflowPlace | undefined,
  { catalog, randomSeed }: ActionContext,
): Action[] {
  const at = place && 'prompt' in place && 'node' in place ? place : undefined;
  const node = at?.node;
  const seeds = randomSeed ? newSeedEdits(prompt, catalog, randomSeed) : [];
  const own = seeds.filter(({ nodeId }) => nodeId === node?.id);
  return [
    ...action('newSeed', t`New Seed in ${node ? promptNodeName(node, catalog) : ''}`, own.map(onlyEdit)),
    ...(seeds.length > own.length ? action('newSeeds', t`New Seeds Everywhere`, seeds.map(onlyEdit)) : []),
    ...(node
      ? action(
          'bypassNode',
          t`Bypass ${promptNodeName(node, catalog)}`,
          bypassEdits(prompt, node, catalog) ?? [],
        )
      : []),
    ...(at ? promptRowActions(at, catalog) : []),
    ...removeUnused(prompt, catalog),
    ...action('sortNodes', t`Sort Nodes by Links`, sortEdits(prompt)),
  ];
}

function removeUnused(prompt: Prompt, catalog: Catalog | undefined): Action[] {
  const { root } = prompt;
  if (!catalog || !root) return [];
  const ends = prompt.nodes.filter((node) => promptNodeDefinition(node, catalog)?.isOutputNode ?? true);
  if (!ends.some((node) => promptNodeDefinition(node, catalog))) return [];
  const used = findRequirements(
    prompt,
    ends.map(({ id }) => id),
  );
  const unused = root.properties.filter(({ name }) => prompt.node(name) && !used.has(name));
  const title = t`Remove Unused Nodes (${unused.length})`;
  const { text } = prompt.document;
  return unused.length === 0
    ? []
    : action('removeUnused', title, memberEdits(text, root, { remove: new Set(unused) }));
}

function graphActions(
  graph: Graph,
  place: WorkflowPlace | undefined,
  { catalog, randomSeed }: ActionContext,
): Action[] {
  const at = place && 'graph' in place && 'node' in place ? place : undefined;
  const convert: Action = { name: 'convertToApi', title: t`Convert to API Format in New Editor`, edits: [] };
  return [
    ...(catalog ? [convert] : []),
    ...(at ? nodeActions(graph, at.node, catalog, randomSeed) : []),
    ...(at ? graphRowActions(at, catalog) : []),
    ...(randomSeed
      ? action('newSeeds', t`New Seeds Everywhere`, newGraphSeeds(graph, catalog, randomSeed))
      : []),
  ];
}

function nodeActions(
  graph: Graph,
  node: GraphNode,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed | undefined,
): Action[] {
  const name = canvasNodeName(graph, node, catalog);
  const seed = randomSeed ? newGraphSeeds(graph, catalog, randomSeed, node) : [];
  return [
    ...action('newSeed', t`New Seed in ${name}`, seed),
    ...action('fixSeed', t`Keep the Seed of ${name} Fixed`, fixedSeeds(catalog, node)),
    ...action(
      'bypassNode',
      node.mode === 'bypassed' ? t`Remove Bypass from ${name}` : t`Bypass ${name}`,
      modeEdits(graph, node, node.mode === 'bypassed' ? 'always' : 'bypassed'),
    ),
  ];
}

function action(name: ActionName, title: string, edits: readonly TextEdit[]): Action[] {
  return edits.length === 0 ? [] : [{ name, title, edits }];
}

function onlyEdit({ offset, length, newText }: TextEdit): TextEdit {
  return { offset, length, newText };
}

/** As the ComfyUI editor bypasses (workflows 2, G3). Undefined if an output in use has no input of its type. */
function bypassEdits(prompt: Prompt, node: PromptNode, catalog: Catalog | undefined): TextEdit[] | undefined {
  const definition = promptNodeDefinition(node, catalog);
  const property = prompt.root?.property(node.id);
  const consumers = findConsumers(prompt, node.id);
  if (!definition || !prompt.root || !property || consumers.length === 0) return undefined;
  const edits = new EditPlan(prompt.document.text);
  for (const { input, slot } of consumers) {
    const output = definition.outputs[slot];
    const source = output && standIn(node, slot, output.type, catalog);
    if (!source || source.link?.nodeId === node.id) return undefined;
    edits.replace(input.valueNode, sourceTextIn(prompt.document.text, source.valueNode));
  }
  edits.remove(prompt.root, property);
  return edits.edits();
}

/** The linked input whose value an output passes on: at the same index, of the same type, or of a compatible one. */
function standIn(
  node: PromptNode,
  slot: number,
  type: Parameters<typeof areCompatible>[0],
  catalog: Catalog | undefined,
): PromptInput | undefined {
  const sockets = expandedInputs(node, catalog).flatMap(({ name, spec }) => {
    const input = node.inputs.find((each) => each.name === name);
    return input?.link ? [{ input, type: spec.rawType }] : [];
  });
  const same = sockets[slot];
  if (same && areCompatible(type, same.type)) return same.input;
  const very = sockets.find((each) => each.type === type);
  return (very ?? sockets.find((each) => areCompatible(type, each.type)))?.input;
}

/** Moves every node behind its sources; each node's text moves unchanged, and what is between nodes stays. */
function sortEdits({ root, document, nodes }: Prompt): TextEdit[] {
  // Of two nodes with one ID the last one counts, so order has a meaning then.
  if (!root || root.properties.length !== nodes.length) return [];
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const sources = nodes.map(({ inputs }) => {
    return inputs.flatMap(({ link }) => {
      const source = link && places.get(link.nodeId);
      return source === undefined ? [] : [source];
    });
  });
  return sortedOrder(sources).flatMap((from, to): TextEdit[] => {
    const [target, source] = [root.properties[to], root.properties[from]];
    if (from === to || !target || !source) return [];
    return [
      {
        offset: target.offset,
        length: target.length,
        newText: document.text.slice(source.offset, rangeEnd(source)),
      },
    ];
  });
}

/** Depth first in file order, so that a node directly follows what only it needs; cycles end where they started. */
function sortedOrder(sources: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (let start = 0; start < sources.length; start++) {
    const stack: { index: number; next: number }[] = [];
    const enter = (index: number): void => {
      if (seen.has(index)) return;
      seen.add(index);
      stack.push({ index, next: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const source = sources[top.index]?.[top.next++];
      if (source !== undefined) enter(source);
      else order.push(stack.pop()?.index ?? top.index);
    }
  }
  return order;
}
