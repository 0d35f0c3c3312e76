import type { Catalog } from '../catalog/catalog';
import { type ExactValue, exactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { JsonNode } from '../json/node';
import { compileGraph } from '../workflow/graph/compileGraph';
import { type ExecutedNode, unfoldInstances } from '../workflow/graph/executionOrder';
import { controlWidget, storedValue } from '../workflow/graph/extraWidgets';
import type { Graph } from '../workflow/graph/graph';
import type { NodeMode } from '../workflow/graph/graphNode';
import { GraphRefusal } from '../workflow/graph/graphProblem';
import { loadGraph } from '../workflow/graph/liveGraph';
import type { LiveNode } from '../workflow/graph/liveNode';
import { objectMember, readPoint } from '../workflow/graph/members';
import { applyAllPrimitives } from '../workflow/graph/primitives';
import { LinkWays, type Resolved, resolveInput } from '../workflow/graph/resolveInput';
import { type ListedValue, listedValues, savedValues } from '../workflow/graph/widgetValues';
import { type Prompt, promptFromText, exactInputValue } from '../workflow/prompt';
import type { WorkflowDocument } from '../workflow/workflowDocument';

export type Source = readonly [nodeId: string, slot: number];

/** The meaning of a node, whatever else the format says. */
export interface MeantNode {
  /** Inner nodes of subgraphs as `outer:inner`. */
  readonly id: string;
  readonly type: string;
  /** Tells it apart from other types: for an instance, the subgraph's name, since its ID changes. */
  readonly kind: string;
  /** As shown; undefined if the file has none and nothing tells. */
  readonly title: string | undefined;
  readonly mode: NodeMode;
  /** Values by the names of the widgets, or by their positions where no name is known; not those of linked inputs. */
  readonly values: ReadonlyMap<string, MeantValue>;
  readonly links: ReadonlyMap<string, Source>;
  /** Its values as the file lists them, if no definition says what they are. */
  readonly listed: readonly ListedValue[];
  readonly isUnnamed: boolean;
  readonly isUndefined: boolean;
  readonly parent: string | undefined;
  readonly place: JsonNode;
  /** Its place and look in the drawing, as text; undefined in API format. */
  readonly layout: string | undefined;
}

export interface MeantValue {
  readonly value: ExactValue;
  /** Undefined for a default. */
  readonly place: JsonNode | undefined;
}

/** The meaning of a workflow: its nodes by their IDs, in the order of the file. */
export interface Meaning extends ReadonlyMap<string, MeantNode> {
  /** How notes and other nodes that no prompt has are drawn, by their IDs. */
  readonly drawnBeside?: ReadonlyMap<string, string>;
}

/**
 * What a workflow file means.
 * @param catalog names the values of graph files; without definitions the file's own names count, else positions
 * @param asPrompt what is sent: without muted and bypassed nodes, as the other side in API format has it
 * @throws GraphRefusal if the graph can't be read
 */
export function workflowMeaning(document: WorkflowDocument, catalog: Catalog, asPrompt: boolean): Meaning {
  const { graph, prompt } = document;
  if (!graph) return prompt ? meaningOfPrompt(prompt) : new Map();
  if (!asPrompt) return meaningOfGraph(graph, catalog);
  const compiled = compileGraph(graph, catalog);
  if (compiled.kind === 'failed') throw new GraphRefusal(compiled.problem);
  const sent = meaningOfPrompt(promptFromText(compiled.prompt.document.text));
  const known = meaningOfGraph(graph, catalog);
  return new Map(Array.from(sent, ([id, node]) => [id, withFile(node, known.get(id))]));
}

/** The API format of a node of an unknown type has neither all of its values nor the title that is shown. */
function withFile(sent: MeantNode, node: MeantNode | undefined): MeantNode {
  if (!node?.isUndefined) return sent;
  const { listed, isUnnamed, isUndefined } = node;
  const title = node.title === node.type ? undefined : node.title;
  return { ...sent, title, listed, isUnnamed, isUndefined };
}

export function meaningOfPrompt(prompt: Prompt): Meaning {
  return new Map(
    prompt.nodes.map((node) => {
      const type = node.classType ?? '';
      const values = new Map<string, MeantValue>();
      const links = new Map<string, Source>();
      for (const input of node.inputs) {
        if (input.link) links.set(input.name, [input.link.nodeId, input.link.slot]);
        else values.set(input.name, { value: exactInputValue(input), place: input.valueNode });
      }
      const meant: MeantNode = {
        id: node.id,
        type,
        kind: type,
        title: node.title,
        mode: 'always',
        values,
        links,
        listed: [],
        isUnnamed: false,
        isUndefined: false,
        parent: undefined,
        place: node.idNode,
        layout: undefined,
      };
      return [node.id, meant];
    }),
  );
}

function meaningOfGraph(graph: Graph, catalog: Catalog): Meaning {
  const root = loadGraph(graph, catalog);
  applyAllPrimitives(root);
  const nodes = unfoldInstances(root.nodes, true);
  // Links are followed as if every node were active: a mode is a difference of its own, without consequences.
  const active = new Map(
    Array.from(nodes, ([id, node]) => [id, { ...node, live: { ...node.live, mode: 'always' as const } }]),
  );
  const ways = new LinkWays(active);
  const drawnBeside = new Map<string, string>();
  const meant = [...active].flatMap(([id, node]) => {
    const live = nodes.get(id)?.live;
    const counts = live?.role === 'executed' || live?.role === 'instance';
    if (live && !counts) drawnBeside.set(id, layoutOf(live));
    return counts ? [[id, meantNode(ways, node, live)] as const] : [];
  });
  return Object.assign(new Map(meant), { drawnBeside });
}

function meantNode(ways: LinkWays, node: ExecutedNode, live: LiveNode): MeantNode {
  const values = new Map<string, MeantValue>();
  const links = new Map<string, Source>();
  for (const { widget, current } of live.widgets) {
    if (current.value === undefined || (!widget.isStored && !widget.isSent)) continue;
    const value = widget.name === controlWidget ? savedMode(live, current.value) : current.value;
    values.set(widget.name, { value, place: current.place });
  }
  const isUndefined = !live.definition && !live.inside;
  const isList = isUndefined && live.source.widgetsValues?.kind === 'array';
  const listed = isList ? listedValues(live.source) : [];
  const isUnnamed = isUndefined && savedValues(live.source).lost > 0;
  if (isUnnamed) for (const [index, value] of listed.entries()) values.set(String(index), value);
  // The inputs of an instance are compared where they arrive.
  const inputs = live.inside ? [] : live.inputs;
  for (const [slot, input] of inputs.entries()) {
    const source = sourceOf(ways, node, slot);
    if (source?.kind === 'link') {
      links.set(input.name, [source.nodeId, source.slot]);
      values.delete(input.name);
    } else if (source?.value.value !== undefined) {
      values.set(input.name, { value: source.value.value, place: source.value.place });
    }
  }
  return {
    id: node.id,
    type: live.type,
    kind: live.inside ? `subgraph ${live.inside.subgraph?.name ?? ''}` : live.type,
    title: live.title,
    mode: live.mode,
    values,
    links,
    listed,
    isUnnamed,
    isUndefined,
    parent: node.instance?.id,
    place: live.source.node,
    layout: layoutOf(live),
  };
}

/** A list saved when such inputs still counted lacks the mode, but the file names it (workflows 2, B). */
function savedMode({ source: { namedValues } }: LiveNode, value: ExactValue): ExactValue {
  const named = typeof value === 'boolean' ? undefined : namedValues?.get(controlWidget);
  return named?.kind === 'string' ? named.value : storedValue(controlWidget, value);
}

/** A link that leads nowhere counts as none: a comparison is no check. */
function sourceOf(ways: LinkWays, node: ExecutedNode, slot: number): Resolved | undefined {
  try {
    return resolveInput(ways, node, slot);
  } catch (error) {
    if (error instanceof GraphRefusal) return undefined;
    throw error;
  }
}

/** The place and look of a node in the drawing, as far as the page keeps them: it makes sizes itself. */
function layoutOf({ source: { node } }: LiveNode): string {
  const at = readPoint(node.get('pos'));
  const looks = [objectMember(node, 'flags')?.get('collapsed')];
  looks.push(...['color', 'bgcolor', 'shape'].map((name) => node.get(name)));
  const texts = looks.map((each) => each && writeExact(exactValue(each)));
  return JSON.stringify([at && [Math.round(at.x), Math.round(at.y)], ...texts]);
}
