import type { Catalog } from '../catalog/catalog';
import { EditPlan } from '../json/editPlan';
import type { JsonNode } from '../json/node';
import { applyEdits, sourceTextIn } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { compileGraph } from '../workflow/graph/compileGraph';
import { objectMember } from '../workflow/graph/members';
import { type Prompt, promptFromText, promptInputNamed, type PromptNode } from '../workflow/prompt';
import { WorkflowDocument } from '../workflow/workflowDocument';
import type { CanvasChange } from './canvasChange';
import { isSameValue, stateBeforeRun, stateText } from './canvasState';
import { JsonWriter } from './jsonWriter';

/** The nodes of a file in API format, of which the page makes a graph: it throws at what is no node, such as a comment. */
export function importedPrompt({ text, prompt }: WorkflowDocument): string {
  const nodes = prompt?.nodes.filter(({ classType }) => classType !== undefined);
  return `{${nodes?.map(({ id, node }) => `${JSON.stringify(id)}:${sourceTextIn(text, node)}`).join()}}`;
}

/**
 * The smallest edits that make a file in API format differ as the prompts of two states of the page do. Positions,
 * groups, notes, and modes of nodes are in no prompt, so they change nothing.
 * @param document the file from which the page has made the first state
 * @param loaded the page's serialization before the edit, as JSON
 * @param shown the one after it
 */
export function promptChange(
  document: WorkflowDocument,
  loaded: string,
  shown: string,
  catalog: Catalog,
): CanvasChange {
  const { format, text, json } = document;
  const unchanged: CanvasChange = { kind: 'edits', edits: [], text, adopted: [] };
  if (format.kind !== 'api') return { kind: 'refused', reason: 'notGraph' };
  if (isSameState(loaded, shown)) return unchanged;
  const inFile = promptFromText(text);
  const states = [stateBeforeRun(shown, loaded, 'fixed'), shown];
  const [before, after] = states.map((state) => promptOf(state, inFile, catalog));
  if (!before || !after) return { kind: 'refused', reason: 'notState' };
  const writer = new JsonWriter(text, after.document.text);
  const gone = new Set(before.nodes.filter(({ id }) => !after.node(id)));
  for (const node of after.nodes) {
    const known = before.node(node.id);
    const moved = known ? undefined : [...gone].find((each) => isInSubgraph(node, each));
    const property = format.node.property(moved?.id ?? node.id);
    const [place, was] = [property?.value, known ?? moved];
    if (moved && property) {
      gone.delete(moved);
      writer.plan.replace(property.key, JSON.stringify(node.id));
    }
    // The page has given a new node an ID that a node of the file has which it couldn't show.
    if (place && !was) return { kind: 'refused', reason: 'otherIds', id: node.id };
    // A copy of a node of which the page has shown no values has lost them.
    const isKnown = catalog.has(String(node.classType));
    if (!was && !isKnown) return { kind: 'refused', reason: 'otherForm', id: node.id };
    if (!was) writer.set(format.node, node.id, writer.newValue(node.node));
    else if (isSameValue(was.node, node.node)) continue;
    else if (replacesHidden(place, was, node)) return { kind: 'refused', reason: 'otherForm', id: node.id };
    else if (place?.kind === 'object' && was.node.kind === 'object' && node.node.kind === 'object')
      writer.object(place, was.node, node.node);
    else return { kind: 'refused', reason: 'otherIds', id: node.id };
  }
  for (const property of [...gone].map(({ id }) => format.node.property(id)))
    if (property) writer.plan.remove(format.node, property);
  const edits = writer.plan.edits();
  const changed = applyEdits(text, edits);
  const written = WorkflowDocument.of(changed);
  const isRight = written.format.kind === 'api' && written.json.problems.length <= json.problems.length;
  const isWhole = after.nodes.every(({ id }) => before.node(id) !== undefined || written.prompt?.node(id));
  return isRight && isWhole
    ? { ...unchanged, edits, text: changed }
    : { kind: 'refused', reason: 'wrongResult' };
}

/** Whether a new input has the name of one that the file has and the page didn't show, such as a row of a loader. */
function replacesHidden(place: JsonNode | undefined, was: PromptNode, node: PromptNode): boolean {
  const inFile = place?.kind === 'object' ? objectMember(place, 'inputs') : undefined;
  return node.inputs.some(({ name }) => {
    const value = promptInputNamed(was, name) ? undefined : inFile?.get(name);
    return value !== undefined && value.kind !== 'array';
  });
}

/** Whether the page has put a node into a subgraph: that changes its ID alone. */
function isInSubgraph(node: PromptNode, was: PromptNode): boolean {
  const isInner = [was.id, was.id.replaceAll(':', '_')].some((id) => node.id.endsWith(`:${id}`));
  return isInner && node.classType === was.classType;
}

function isSameState(loaded: string, shown: string): boolean {
  const [before, after] = [parseJson(loaded).root, parseJson(shown).root];
  return before && after ? stateText(loaded, before) === stateText(shown, after) : loaded === shown;
}

/** What the page would run if no node were muted or bypassed, with the IDs of the file. Undefined if there is none. */
function promptOf(state: string, inFile: Prompt, catalog: Catalog): Prompt | undefined {
  const active = JSON.stringify(
    JSON.parse(state, (_, value: { mode?: unknown } | null) => {
      if (typeof value?.mode === 'number' && 'type' in value && 'pos' in value) value.mode = 0;
      return value;
    }),
  );
  const { graph } = WorkflowDocument.of(active);
  const compiled = graph && compileGraph(graph, catalog, { now: null });
  if (compiled?.kind !== 'compiled') return undefined;
  const { prompt } = compiled;
  const { text } = prompt.document;
  const plan = new EditPlan(text);
  // The page writes the colons in IDs of nodes otherwise: in its own, they lead into subgraphs.
  const colons = new Map(inFile.nodes.map(({ id }) => [id.replaceAll(':', '_'), id]));
  for (const { idNode, inputs } of prompt.nodes) {
    const linked = inputs.flatMap(({ link, valueNode }) =>
      link && valueNode.kind === 'array' ? valueNode.items.slice(0, 1) : [],
    );
    for (const place of [idNode, ...linked]) {
      const id = place.kind === 'string' && !inFile.node(place.value) ? colons.get(place.value) : undefined;
      if (id !== undefined) plan.replace(place, JSON.stringify(id));
    }
  }
  return promptFromText(applyEdits(text, plan.edits()));
}
