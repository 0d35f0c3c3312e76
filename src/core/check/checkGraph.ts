import type { JsonNode } from '../json/node';
import { parseJson } from '../json/tree';
import { compileRead, type GraphCompilation } from '../workflow/graph/compileGraph';
import type { Graph } from '../workflow/graph/graph';
import type { GraphProblem } from '../workflow/graph/graphProblem';
import { readPrompt } from '../workflow/prompt';
import { checkPrompt, type PromptCheck } from './checkPrompt';
import type { CheckContext } from './checkWorkflow';
import type { CheckCode } from './codes';
import { BoundedDrafts, type Draft } from './draft';
import { GraphMap } from './graphMap';
import { levelsOf } from './graphRule';
import { danglingLinks } from './graphRules/danglingLinks';
import { linkTable } from './graphRules/linkTable';
import { missingModels } from './graphRules/models';
import { silencedNodes } from './graphRules/silencedNodes';
import { subgraphSlots } from './graphRules/subgraphSlots';
import { unknownVirtualNodes } from './graphRules/virtualNodes';
import { widgetValues } from './graphRules/widgetValues';

const graphRules = [
  danglingLinks,
  subgraphSlots,
  linkTable,
  widgetValues,
  silencedNodes,
  unknownVirtualNodes,
  missingModels,
];

/** What came out for a graph: places of `drafts` are those of the file, places of `prompt` those of the compiled prompt. */
export interface GraphCheck {
  readonly drafts: readonly Draft[];
  /** How many drafts were left out because there are too many. */
  readonly omitted: number;
  /** Absent where there are no definitions, or the graph cannot be compiled. */
  readonly prompt?: {
    readonly check: PromptCheck;
    readonly drafts: readonly Draft[];
    readonly map: GraphMap;
  };
}

/** Inputs that the web page adds for its own widgets are in every compiled prompt; nobody wrote them. */
const notForGraphs = new Set<CheckCode>(['unknown-input', 'duplicate-input', 'duplicate-node']);

/** Checks a graph: its own rules, and those of the prompt that the web page would make of it. */
export function checkGraph(graph: Graph, context: CheckContext, isJson: boolean): GraphCheck {
  const { catalog, signal } = context;
  const drafts = new BoundedDrafts();
  for (const view of levelsOf(graph, catalog, context.serverName ?? 'the server')) {
    signal?.throwIfAborted();
    for (const rule of graphRules) rule(view, (draft) => drafts.add(draft));
  }
  const own = (): Pick<GraphCheck, 'drafts' | 'omitted'> => ({
    drafts: drafts.list,
    omitted: drafts.omitted,
  });
  if (!catalog) return own();
  const compilation = compileRead(graph, catalog);
  for (const draft of problemDrafts(compilation)) drafts.add(draft);
  if (compilation.kind === 'failed') return own();
  const { promptText, source } = compilation;
  const packs = (nodeId: string): string | undefined => packOf(source.node(nodeId)?.node);
  const check = checkPrompt(readPrompt(parseJson(promptText)), { ...context, packs }, isJson);
  const map = new GraphMap(source, check.nodes, graph.node);
  return {
    ...own(),
    prompt: { check, drafts: check.drafts.filter(({ code }) => !notForGraphs.has(code)), map },
  };
}

function problemDrafts(compilation: GraphCompilation): Draft[] {
  if (compilation.kind === 'failed') return [problemDraft('graph-not-convertible', compilation.problem)];
  // Unknown classes are said by a rule that knows more of them.
  return compilation.warnings
    .filter(({ code }) => code !== 'unknown-node')
    .map((problem) => problemDraft('graph-conversion', problem));
}

function problemDraft(code: CheckCode, { node, message, related = [] }: GraphProblem): Draft {
  return {
    code,
    range: node,
    message,
    related: related.map((each) => ({ range: each.node, message: each.message })),
    counts: 'always',
  };
}

/** The pack that the web page noted in a node: its name in the registry, else the address of its repository. */
function packOf(node: JsonNode | undefined): string | undefined {
  const properties = node?.kind === 'object' ? node.get('properties') : undefined;
  for (const key of ['cnr_id', 'aux_id']) {
    const pack = properties?.kind === 'object' ? properties.get(key) : undefined;
    if (pack?.kind === 'string' && pack.value !== '' && pack.value !== 'comfy-core') return pack.value;
  }
  return undefined;
}
