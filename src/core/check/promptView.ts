import type { Catalog } from '../catalog/catalog';
import { type ExpandedInput, type ExpandedInputs, expandInputs, type GroupFault } from '../catalog/dynamic';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import { isNumeric } from '../json/exactEquals';
import { type ExactValue, isExactList } from '../json/exactValue';
import { promptInputNamed, type Prompt, type PromptInput, type PromptNode } from '../workflow/prompt';
import { isConverted, unwrapLiteral } from './convertLiteral';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import { applyReplacements } from './applyReplacements';
import { inputValues, type ServerNode } from './serverPrompt';
import { mapDefined } from '../safety/lists';
import { reachableItems } from '../workflow/closure';
import { memoizeByObject } from '../safety/memoizeByObject';

/** A node with all that rules ask about it. Undefined parts are broken or unknown; rules step over them. */
export interface NodeView {
  readonly id: string;
  readonly source: PromptNode;
  /** The node type in the file, or its replacement on the server. */
  readonly classType: string | undefined;
  readonly definition: NodeDefinition | undefined;
  /** The node type in the file is gone, and the server replaces it. */
  readonly isReplaced: boolean;
  /** Values by input name of the node type that runs; undefined if the file has no object there. */
  readonly values: ReadonlyMap<string, ExactValue> | undefined;
  /** The declared inputs for these values, in display order; empty without a definition. */
  readonly declared: ReadonlyMap<string, ExpandedInput>;
  readonly groupFaults: readonly GroupFault[];
  readonly links: readonly LinkView[];
}

/** A pair that the server follows as a link, whether or not the input is declared. */
export interface LinkView {
  readonly input: string;
  readonly isDeclared: boolean;
  /** A pair in `__value__` is a value during validation and a link at run time (protocol 7.2). */
  readonly isWrapped: boolean;
  readonly targetId: string;
}

export interface PromptView {
  readonly prompt: Prompt;
  readonly catalog: Catalog | undefined;
  readonly nodes: ReadonlyMap<string, NodeView>;
}

/** Examines a prompt with the definitions as far as possible. Never throws. */
export function viewPrompt(
  prompt: Prompt,
  catalog: Catalog | undefined,
  replacements: NodeReplacements | undefined,
): PromptView {
  const served = new Map<string, ServerNode>();
  for (const source of prompt.nodes)
    if (source.node.kind === 'object') served.set(source.id, tolerant(source));
  if (catalog && replacements) applyReplacements(served, catalog, replacements, 'tolerant');
  const nodes = new Map<string, NodeView>();
  for (const node of served.values()) nodes.set(node.id, viewNode(node, catalog));
  return { prompt, catalog, nodes };
}

/** The file's input of that name; for replaced nodes, only unchanged names are found. */
export function findFileInput(node: NodeView, name: string): PromptInput | undefined {
  return promptInputNamed(node.source, name);
}

/** The node as the server would have it, with invalid parts treated as empty: other rules report those. */
function tolerant(source: PromptNode): ServerNode {
  const { id, inputsNode, classType } = source;
  const inputs = inputsNode?.kind === 'object' ? inputValues(source) : undefined;
  return { id, classType, inputs, meta: new Map(), source };
}

/** Most node types have the same inputs whatever their values: these are indexed once for all their nodes. */
const byName = memoizeByObject(
  ({ inputs }: ExpandedInputs) => new Map(inputs.map((input) => [input.name, input])),
);

function viewNode(served: ServerNode, catalog: Catalog | undefined): NodeView {
  const { id, source, inputs } = served;
  const classType = typeof served.classType === 'string' ? served.classType : undefined;
  const definition = classType === undefined ? undefined : catalog?.get(classType);
  const expanded = definition && expandInputs(definition, inputs ?? new Map());
  const declared = expanded ? byName(expanded) : new Map<string, never>();
  const groupFaults = expanded?.groupFaults ?? [];
  const links: LinkView[] = [];
  for (const [input, written] of inputs ?? []) {
    const spec = declared.get(input)?.spec;
    const isWrapped = spec !== undefined && !isExactList(written) && !isConverted(spec.rawType);
    const value = isWrapped ? unwrapLiteral(written) : written;
    if (!isExactList(value) || value.length !== 2 || typeof value[0] !== 'string') continue;
    const isDeclared = !isWrapped && (!definition || spec !== undefined);
    // For a declared input, every list is validated as a link; for others, only what looks like one is ever followed.
    // The executor accepts any number as a slot.
    if (isDeclared || isNumeric(value[1])) links.push({ input, isDeclared, isWrapped, targetId: value[0] });
  }
  const isReplaced = source.classType !== classType;
  const found = { declared, groupFaults, links };
  return { id, source, classType, definition, isReplaced, values: inputs, ...found };
}

/** The nodes that the server validates, and those that run. */
export interface Reach {
  /** Validated by the server: an output node, or linked to one through declared inputs. */
  isChecked(node: NodeView): boolean;
  /** Runs: links at undeclared inputs are followed too when a prompt runs (protocol 7.2). */
  isRun(node: NodeView): boolean;
  /** Runs for an output that reaches it through an undeclared input, which may run whatever the server found here. */
  isRunUnchecked(node: NodeView): boolean;
}

/**
 * Walks up from the outputs, or from those to run. Unknown node types may be outputs; if there is no output at all,
 * nodes that nothing depends on take their place, so that a new file is not entirely grayed out.
 */
export function reachFromOutputs(view: PromptView, targets: readonly string[] = []): Reach {
  const nodes = [...view.nodes.values()];
  const isTarget = ({ id }: NodeView): boolean => targets.length === 0 || targets.includes(id);
  let roots = nodes.filter((node) => (!node.definition || node.definition.isOutputNode) && isTarget(node));
  if (targets.length === 0 && !roots.some(({ definition }) => definition?.isOutputNode)) {
    const used = new Set(nodes.flatMap(({ links }) => links.map(({ targetId }) => targetId)));
    roots = nodes.filter((node) => !used.has(node.id) || !node.definition);
    if (roots.length === 0) roots = nodes;
  }
  const behind = (
    starts: Iterable<NodeView>,
    follows: (link: NodeView['links'][number]) => boolean = () => true,
  ): ReadonlySet<NodeView> =>
    reachableItems(starts, ({ links }) =>
      links.flatMap((link) => (follows(link) ? (view.nodes.get(link.targetId) ?? []) : [])),
    );
  const checked = behind(roots, ({ isDeclared }) => isDeclared);
  const run = behind(roots);
  const undeclared = [...run].flatMap(({ links }) => links.filter(({ isDeclared }) => !isDeclared));
  const unchecked = behind(mapDefined(undeclared, ({ targetId }) => view.nodes.get(targetId)));
  return {
    isChecked: (node) => checked.has(node),
    isRun: (node) => run.has(node),
    isRunUnchecked: (node) => unchecked.has(node),
  };
}
