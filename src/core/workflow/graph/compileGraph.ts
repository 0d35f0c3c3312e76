import { mapDefined } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { ExactValue } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import type { JsonNode, JsonObject } from '../../json/node';
import { replaceValue } from '../../json/textEdit';
import type { JsonDocument } from '../../json/tree';
import { budgets } from '../../safety/budgets';
import { packIdentity } from '../packIdentity';
import { unmuteAtRandom } from '../packs/rgthree';
import { type Prompt, readPrompt } from '../prompt';
import { type ExecutedNode, unfoldInstances, executionOrder, targetsByOrigin } from './executionOrder';
import { areLinksRead, type Graph } from './graph';
import { type GraphProblem, GraphRefusal } from './graphProblem';
import { loadGraph } from './liveGraph';
import { type LiveLevel, levelsBelow } from './liveNode';
import { listMember } from './members';
import { lostInputs } from './mergedInputs';
import { applyPrimitives } from './primitives';
import { printPrompt, type PromptEntry } from './printPrompt';
import { promotedNulls } from './promotedWidgets';
import { LinkWays, resolveInput } from './resolveInput';
import { choiceIndex, sentValue, type TextChoices, textReplacer, wrapListValue } from './sentValues';
import { SourceMap } from './sourceMap';
import { savedValues } from './widgetValues';
import { listUnsentValues, unexplainedValues, type UnsentValue } from './unsentValues';
import { listText, t } from '../../safety/localize';
import { sizeText } from '../../safety/sizeText';
import { memoizeByObject } from '../../safety/memoizeByObject';

export interface CompileOptions {
  readonly dynamicPrompts?: 'keep' | 'first' | 'random';
  /** Returns numbers from 0 to below 1, for "random". */
  readonly random?: () => number;
  /** Makes the choices that the page makes anew whenever it queues a prompt: Random Unmuters. */
  readonly isForRun?: boolean;
  /** Null leaves `%date:…%` and `%Node.widget%` as they are written. */
  readonly now?: Date | null;
}

export type GraphCompilation =
  | {
      readonly kind: 'compiled';
      /** Compact JSON with every digit, and nodes in the editor's order. */
      readonly prompt: Prompt;
      readonly source: SourceMap;
      readonly warnings: readonly GraphProblem[];
      readonly listUnsent: () => readonly UnsentValue[];
      readonly chosenModes: readonly JsonNode[];
    }
  | { readonly kind: 'failed'; readonly problem: GraphProblem };

/** Compiles a graph to the prompt that the ComfyUI editor sends for it (workflows 2). Never throws. */
export function compileGraph(graph: Graph, catalog: Catalog, options: CompileOptions = {}): GraphCompilation {
  if (graph.node.kind !== 'object') {
    const message = t`A workflow must be an object of nodes.`;
    return { kind: 'failed', problem: { code: 'not-a-graph', message, node: graph.node } };
  }
  try {
    const compiled = compile(loadGraph(graph, catalog), options);
    const unread = linksNotRead(graph.node);
    return unread ? { ...compiled, warnings: [unread, ...compiled.warnings] } : compiled;
  } catch (error) {
    if (error instanceof GraphRefusal) return { kind: 'failed', problem: error.problem };
    throw error;
  }
}

type Compiled = Extract<GraphCompilation, { kind: 'compiled' }>;

function compile(root: LiveLevel, options: CompileOptions): Compiled {
  const choices: TextChoices = {
    dynamicPrompts: options.dynamicPrompts ?? 'keep',
    random: options.random ?? Math.random,
  };
  const levels = options.isForRun === true ? levelsBelow(root) : [];
  const draw = choices.dynamicPrompts === 'first' ? () => 0 : choices.random;
  const unmuted = levels.flatMap((level) => unmuteAtRandom(level, draw));
  const { now = new Date() } = options;
  const replaceText = now ? textReplacer(root, now) : (text: string): string => text;
  const targets = targetsByOrigin(root);
  const order = executionOrder(root, targets);
  const nodes = unfoldInstances(order);
  applyPrimitives(root, order, replaceText, targets);
  const insides = new Set(mapDefined([...nodes.values()], ({ live }) => live.inside));
  for (const level of insides) applyPrimitives(level, level.nodes, replaceText);

  const ways = new LinkWays(nodes);
  const entries = new Map<string, PromptEntry & { readonly inputs: Map<string, ExactValue> }>();
  const links: { entry: Map<string, ExactValue>; name: string; nodeId: string }[] = [];
  const source = new SourceMap();
  const warnings = [root, ...insides].flatMap(({ problems }) => problems);
  for (const node of nodes.values()) {
    const { live } = node;
    if (live.role === 'instance' && live.mode === 'always') warnings.push(...nullsOver(node));
    if (live.role !== 'silent' && live.mode === 'always') loseInputs(ways, node);
    if (live.role !== 'executed' || live.mode !== 'always') continue;
    const inputs = new Map<string, ExactValue>();
    const places = new Map<string, JsonNode>();
    const put = (name: string, value: ExactValue | undefined, place: JsonNode | undefined): void => {
      if (value === undefined) inputs.delete(name);
      else inputs.set(name, value);
      places.set(name, place ?? live.source.node);
    };
    for (const widget of live.widgets) {
      if (!widget.widget.isSent) continue;
      put(widget.widget.name, sentValue(live, widget, choices, replaceText), widget.current.place);
    }
    for (const [slot, input] of live.inputs.entries()) {
      const resolved = resolveInput(ways, node, slot);
      if (!resolved) continue;
      if (resolved.kind === 'value')
        put(input.name, wrapListValue(resolved.value.value), resolved.value.place);
      else {
        const link = input.link === undefined ? undefined : live.level.links.get(input.link);
        put(input.name, [resolved.nodeId, BigInt(resolved.slot)], link?.node ?? input.place);
        links.push({ entry: inputs, name: input.name, nodeId: resolved.nodeId });
      }
    }
    const index = choiceIndex(live, inputs);
    if (index !== undefined) inputs.set('index', index);
    if (!live.definition) warnings.push(unknownNode(node));
    const pack = packIdentity(live.source.properties);
    entries.set(node.id, { classType: live.type, title: live.title, pack, inputs });
    source.add(node, places);
  }
  warnings.push(...unexplainedValues(nodes));
  // Links into nodes that are not sent (workflows 2, H).
  for (const { entry, name, nodeId } of links) if (!entries.has(nodeId)) entry.delete(name);
  warnings.push(...ways.lost.values());
  const listUnsent = (): UnsentValue[] => listUnsentValues(root, ways.lost.values());
  return {
    kind: 'compiled',
    prompt: readPrompt(printed(entries, root)),
    source,
    warnings,
    listUnsent,
    chosenModes: mapDefined(unmuted, ({ source: { node } }) => node.get('mode')),
  };
}

/** A small file can expand to a prompt too large for any memory: values in a subgraph are sent once per instance. */
function printed(entries: ReadonlyMap<string, PromptEntry>, { nodes }: LiveLevel): JsonDocument {
  const document = printPrompt(entries, budgets.promptText);
  const [first] = nodes;
  if (document || !first) return document ?? { text: '{}', root: undefined, problems: [] };
  const most = sizeText(budgets.promptText);
  const message = t`The prompt of this graph would be larger than ${most}. Shorten its texts, or use fewer instances of its subgraphs.`;
  throw new GraphRefusal({ code: 'too-large', message, node: first.source.node });
}

function linksNotRead(graph: JsonObject): GraphProblem | undefined {
  const version = graph.get('version');
  const [first] = listMember(graph, 'links');
  if (first?.kind !== 'array' || areLinksRead(graph)) return undefined;
  const message = t`The ComfyUI editor reads links written as lists only in version 0.4 files, so it would open this file without its links. Add "version": 0.4.`;
  return { code: 'links-not-read', message, node: version ?? first };
}

function unknownNode({ id, live }: ExecutedNode): GraphProblem {
  const { missingTypes, type, source } = live;
  const missing = missingTypes.length > 0 ? missingTypes.join(', ') : type;
  const { lost } = savedValues(source);
  const message =
    lost > 0
      ? t`${live.title} (node ${id}) loses its values (${lost}), because the server doesn't have the node type ${missing} and the file doesn't name its widgets. Use a server that has it.`
      : missingTypes.length > 0
        ? t`The group node ${type} contains node types that the server doesn't have: ${missing}. Install the packs that provide them, or remove the node.`
        : t`The server doesn't have the node type ${type}. Install the pack that provides it, or remove the node.`;
  const code = lost > 0 ? 'values-lost' : 'unknown-node';
  return { code, message, node: source.node.get('type') ?? source.node, nodeId: id };
}

/** The places where the editor would send null, or a first option, instead of a value inside the subgraph. */
function nullsOver({ id, live }: ExecutedNode): GraphProblem[] {
  const nulls = promotedNulls(live);
  const [first] = nulls;
  if (!first) return [];
  const names = listText(nulls.map(({ name }) => name));
  const message = t`${live.title} (node ${id}) has null for ${names}. The ComfyUI editor would send null or the first option of a list, but Comfy Deck sends the value inside the subgraph. Write that value into the node.`;
  const edits = nulls.map(({ place, value }) => replaceValue(place, writeExact(value)));
  return [{ code: 'other-values', message, node: first.place, nodeId: id, edits }];
}

function loseInputs(ways: LinkWays, { id, live }: ExecutedNode): void {
  for (const { name, node } of lostInputs(live)) {
    const message = t`The link to ${name} of ${live.title} (node ${id}) is lost, because the node has no such input, or the list of links lacks it. Connect it again.`;
    ways.lose(id, node, message);
  }
}

/** An open file's prompt with `{a|b}` unchanged, shared by checks, code lenses and actions. */
export const compiledOnce = memoizeByObject((graph: Graph, catalog: Catalog) => compileGraph(graph, catalog));
