import type { JsonNode, JsonRange } from '../json/node';
import { compiledOnce, type GraphCompilation } from '../workflow/graph/compileGraph';
import type { Graph } from '../workflow/graph/graph';
import { missingInGroups } from '../workflow/graph/groupNodes';
import { type GraphProblem, unknownNodeCodes } from '../workflow/graph/graphProblem';
import { objectMember } from '../workflow/graph/members';
import { packIdentity } from '../workflow/packIdentity';
import { isEverywhere } from '../workflow/packs/everywhereNodes';
import { checkPrompt } from './checkPrompt';
import type { PromptCheck } from './promptCheck';
import type { CheckContext } from './checkContext';
import type { CheckCode } from './codes';
import { BoundedFindings, type Place, type RuleFinding, textsFix } from './rule';
import type { FixHint } from './finding';
import { graphLevelViews } from './graphRule';
import { danglingLinks } from './graphRules/linkParts';
import { linkCounter, linkObjects, nullEntries } from './graphRules/linkParts';
import { linkIds } from './graphRules/linkIds';
import { linkTable } from './graphRules/linkTable';
import { isNamed, type MissingModel, missingModels, withModelAdvice } from './graphRules/models';
import { repeatedIds } from './graphRules/linkIds';
import { silencedNodes } from './graphRules/silencedNodes';
import { subgraphSlots } from './graphRules/linkParts';
import {
  namesAndPositions,
  uncheckedValues,
  unreadValues,
  valuesByName,
  writtenAsRead,
} from './graphRules/valuesByName';
import { unknownVirtualNodes } from './graphRules/silencedNodes';
import { widgetValues } from './graphRules/valuesByName';
import {
  idlePrimitives,
  inactiveOutputs,
  inactiveSubgraphs,
  repeatedInputs,
} from './graphRules/withoutEffect';
import { type NodeOrigin, originFrom } from './nodeOrigin';
import { t } from '../safety/localize';
import { exactEquals } from '../json/exactEquals';
import { exactValue } from '../json/exactValue';
import { promptInputNamed } from '../workflow/prompt';
import type { SourceMap } from '../workflow/graph/sourceMap';
import { placesInGraph, type PromptPlaces } from '../workflow/promptPlaces';
import type { FileMap } from './findings';
import type { NodeView } from './promptView';

const graphRules = [
  danglingLinks,
  subgraphSlots,
  linkTable,
  widgetValues,
  silencedNodes,
  linkCounter,
  linkObjects,
  nullEntries,
  valuesByName,
  namesAndPositions,
  unreadValues,
  uncheckedValues,
  inactiveSubgraphs,
  idlePrimitives,
  repeatedInputs,
];

/** Positions in `findings` are those of the file, positions in `prompt` those of the compiled prompt. */
export interface GraphCheck {
  readonly ruleFindings: readonly RuleFinding[];
  readonly omitted: number;
  /** Absent without definitions, or when the graph can't be compiled. */
  readonly prompt?: {
    readonly check: PromptCheck;
    readonly ruleFindings: readonly RuleFinding[];
    readonly map: GraphMap;
  };
}

const mostLinks = 20;

/** The ComfyUI editor adds inputs for its own widgets, which nobody wrote, and replaces what it can in texts. */
const notForGraphs = new Set<CheckCode>([
  'unknown-input',
  'duplicate-input',
  'duplicate-node',
  'text-not-replaced',
]);

export function checkGraph(graph: Graph, context: CheckContext, isJson: boolean): GraphCheck {
  const { catalog, signal } = context;
  const ruleFindings = new BoundedFindings();
  const models = new Set<MissingModel>();
  const levels = graphLevelViews(graph, catalog, context.serverName ?? t`the server`);
  const report = (ruleFinding: RuleFinding): void => ruleFindings.add(ruleFinding);
  for (const ruleFinding of [...repeatedIds(graph), ...linkIds(levels)]) report(ruleFinding);
  for (const view of levels) {
    signal?.throwIfAborted();
    for (const rule of graphRules) rule(view, report);
    for (const model of missingModels(view)) models.add(model);
  }
  const own = (): Pick<GraphCheck, 'ruleFindings' | 'omitted'> => {
    for (const { ruleFinding } of models) ruleFindings.add(ruleFinding);
    return { ruleFindings: ruleFindings.list, omitted: ruleFindings.omitted };
  };
  if (!catalog) return own();
  const compilation = compiledOnce(graph, catalog);
  // Nodes that are entirely bypassed or muted need no model, either.
  for (const model of models) if (!isNamed(model, compilation)) models.delete(model);
  for (const ruleFinding of problemFindings(compilation, graph, ruleFindings.list)) report(ruleFinding);
  if (compilation.kind === 'failed') {
    // In a prompt, these are unknown node types, which are reported once.
    for (const view of levels) unknownVirtualNodes(view, report);
    return own();
  }
  const { prompt, source } = compilation;
  const missingIn = missingInGroups(graph, catalog);
  const originOf = (nodeId: string): NodeOrigin => {
    const node = source.node(nodeId);
    const missing = missingIn(node);
    const types = missing?.nodes.map((inner) => ({ ...originIn(inner.node), classType: inner.type }));
    return { ...originIn(node), inside: missing && types && { group: missing.group, types } };
  };
  const check = checkPrompt(prompt, { ...context, originOf }, isJson);
  const map = new GraphMap(source, check.nodes, graph.node);
  const inactive = check.ruleFindings.some(({ code }) => code === 'no-output-node')
    ? inactiveOutputs(levels, context.serverName ?? t`the server`)
    : undefined;
  if (inactive) report(inactive);
  const ofPrompt = check.ruleFindings.filter(({ code, nodeId = '' }) => {
    const isOfPack = code === 'unused-node' && isEverywhere(prompt.node(nodeId)?.classType ?? '');
    return !notForGraphs.has(code) && code !== inactive?.code && !isOfPack;
  });
  const advised = withModelAdvice(ofPrompt, models, ({ nodeId = '', input = '' }) => {
    const value = check.nodes.get(nodeId)?.values?.get(input);
    const node = source.node(nodeId);
    return node && typeof value === 'string' ? { node, value } : undefined;
  });
  return { ...own(), prompt: { check, ruleFindings: advised, map } };
}

function problemFindings(compilation: GraphCompilation, graph: Graph, known: RuleFinding[]): RuleFinding[] {
  if (compilation.kind === 'failed') {
    const { problem } = compilation;
    const found = problemFinding('graph-not-convertible', problem);
    // A link from nowhere, which is reported by itself where it does no more harm.
    const at = known.findIndex(({ code, explains = [] }) => {
      return code === 'dangling-link' && explains.includes(problem.node);
    });
    const [link] = at < 0 ? [] : known.splice(at, 1);
    return [link ? { ...found, fix: link.fix } : found];
  }
  // Unknown node types, and most lost links, are reported by rules that know more about them.
  const told = new Set(
    known.flatMap(({ range, explains = [] }) => [range, ...explains]).map((each) => each.offset),
  );
  return compilation.warnings
    .filter(
      ({ code, node }) => !unknownNodeCodes.has(code) && !(code === 'link-lost' && told.has(node.offset)),
    )
    .map((problem) => {
      if (problem.code === 'other-values') {
        const fix = problem.edits && writtenAsRead(problem.edits);
        return { ...problemFinding('editor-other-values', problem), fix };
      }
      if (problem.code === 'other-links') return problemFinding('links-differ', problem);
      const fix = problem.code === 'links-not-read' ? versionFix(graph) : undefined;
      return { ...problemFinding('graph-conversion', problem), fix };
    });
}

function versionFix({ node }: Graph): FixHint | undefined {
  const version = node.kind === 'object' ? node.get('version') : undefined;
  if (version) return { kind: 'replaceText', range: version, texts: ['0.4'] };
  const edit = { offset: node.offset + 1, length: 0, newText: '"version": 0.4, ' };
  return textsFix(t`Add "version": 0.4`, [edit]);
}

function problemFinding(code: CheckCode, { node, message, related = [], links }: GraphProblem): RuleFinding {
  return {
    code,
    fix: links && { kind: 'cutRow', places: links.slice(0, mostLinks) },
    range: node,
    message,
    related: related.map((each) => ({ range: each.node, message: each.message })),
    counts: 'always',
  };
}

function originIn(node: JsonNode | undefined): NodeOrigin {
  const properties = node?.kind === 'object' ? objectMember(node, 'properties') : undefined;
  return originFrom(packIdentity(properties), properties?.property('Node name for S&R') !== undefined);
}

class GraphMap implements FileMap {
  private readonly places: PromptPlaces;

  constructor(
    private readonly source: SourceMap,
    private readonly nodes: ReadonlyMap<string, NodeView>,
    graph: JsonRange,
  ) {
    this.places = placesInGraph(source, graph);
  }

  place({ nodeId, input }: Place): JsonRange | undefined {
    return nodeId === undefined ? this.places.start : this.places.of(nodeId, input);
  }

  /** Only fixes that replace a value in the graph or remove a link. The rest would need a new link or node. */
  fix(ruleFinding: RuleFinding): FixHint | undefined {
    const { fix, nodeId, input } = ruleFinding;
    if (fix?.kind === 'addOutput') return fix;
    if (fix?.kind === 'cutLink') return this.cut(fix.links);
    if (!fix || nodeId === undefined) return undefined;
    switch (fix.kind) {
      case 'findPack': {
        const range = this.place({ nodeId, range: fix.range });
        return range && { ...fix, range };
      }
      case 'chooseFile':
      case 'replaceText': {
        const range = input === undefined ? undefined : this.valueOf(nodeId, input, fix.range);
        return range && { ...fix, range };
      }
      case 'chooseLink':
        return ruleFinding.code === 'link-type' ? this.cut([fix]) : undefined;
      default:
        return undefined;
    }
  }

  private cut(links: readonly { readonly nodeId: string; readonly input: string }[]): FixHint {
    const places = links.flatMap(({ nodeId, input }): JsonRange[] => {
      const link = this.source.input(nodeId, input);
      return link ? [{ offset: link.offset, length: link.length }] : [];
    });
    return { kind: 'cutRow', places };
  }

  /** The element of the file that contains exactly this value of the prompt. */
  private valueOf(nodeId: string, input: string, range: JsonRange): JsonRange | undefined {
    const value = this.source.input(nodeId, input);
    const node = this.nodes.get(nodeId);
    const sent = node && promptInputNamed(node.source, input)?.valueNode;
    if (!value || !sent || sent.offset !== range.offset || sent.length !== range.length) return undefined;
    if (value.kind === 'object' || value.kind === 'array') return undefined;
    return exactEquals(exactValue(value), exactValue(sent)) ? value : undefined;
  }
}
