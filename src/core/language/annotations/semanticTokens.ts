import type { JsonNode, JsonRange } from '../../json/node';
import { partNode } from '../../workflow/graph/graphLinks';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import type { Prompt } from '../../workflow/prompt';
import { graphScopes } from '../places/workflowPlace';
import { isModelName } from '../../workflow/modelNames';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

export type TokenKind = 'nodeId' | 'classType' | 'link' | 'model' | 'type';

export interface SemanticToken extends JsonRange {
  readonly kind: TokenKind;
  /** Whether a node gets its ID here and isn't just referenced. */
  readonly isDeclaration: boolean;
}

/** Node IDs, node types, links, model names and types, in text order; none spans lines or overlaps another. */
export function semanticTokens(doc: WorkflowDocument): SemanticToken[] {
  const { graph, prompt, text } = doc;
  const found = new FoundTokens();
  if (graph) addGraph(graph, found);
  else if (prompt) addPrompt(prompt, found);
  // A text of more than one line is a mistake in the JSON.
  const mayBreak = doc.json.problems.length > 0;
  let end = 0;
  return found.tokens
    .sort((a, b) => a.offset - b.offset)
    .filter(({ offset, length }) => {
      if (offset < end || length === 0) return false;
      if (mayBreak && /[\r\n]/.test(text.slice(offset, offset + length))) return false;
      end = offset + length;
      return true;
    });
}

/** A large graph has tens of thousands of tokens, computed at each keystroke: no intermediate lists. */
class FoundTokens {
  readonly tokens: SemanticToken[] = [];

  add(kind: TokenKind, node: JsonNode | undefined): void {
    if (node?.kind === 'string' || node?.kind === 'number') this.put(kind, node, false);
  }

  addModel(node: JsonNode): void {
    if (node.kind === 'string' && isModelName(node.value)) this.put('model', node, false);
  }

  put(kind: TokenKind, { offset, length }: JsonRange, isDeclaration: boolean): void {
    this.tokens.push({ kind, offset, length, isDeclaration });
  }
}

function addPrompt({ nodes }: Prompt, found: FoundTokens): void {
  for (const { idNode, classTypeNode, inputs } of nodes) {
    found.put('nodeId', idNode, true);
    found.add('classType', classTypeNode);
    for (const { link, valueNode } of inputs) {
      if (link && valueNode.kind === 'array') {
        found.add('nodeId', valueNode.items[0]);
        found.add('link', valueNode.items[1]);
      } else found.addModel(valueNode);
    }
  }
}

function addGraph(graph: Graph, found: FoundTokens): void {
  for (const scope of graphScopes(graph)) {
    for (const node of scope.nodes) addNode(node, found);
    for (const link of scope.rows) {
      found.add('link', partNode(link, 'id'));
      found.add('nodeId', partNode(link, 'origin'));
      found.add('nodeId', partNode(link, 'target'));
      found.add('type', partNode(link, 'type'));
    }
  }
}

function addNode({ node, inputs, outputs, widgetsValues }: GraphNode, found: FoundTokens): void {
  const id = node.get('id');
  if (id) found.put('nodeId', id, true);
  found.add('classType', node.get('type'));
  for (const input of inputs) {
    found.add('type', input.node.get('type'));
    found.add('link', input.node.get('link'));
  }
  for (const output of outputs) {
    found.add('type', output.node.get('type'));
    const ids = output.node.get('links');
    if (ids?.kind === 'array') for (const each of ids.items) found.add('link', each);
  }
  if (widgetsValues?.kind === 'array') for (const value of widgetsValues.items) found.addModel(value);
}
