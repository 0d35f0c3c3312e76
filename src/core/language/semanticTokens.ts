import type { JsonNode, JsonRange } from '../json/node';
import type { Graph } from '../workflow/graph/graph';
import type { Prompt } from '../workflow/prompt';
import { partNode, scopesOf } from './graphPlace';
import { rangeOf } from './jsonPlace';
import { isModelName } from '../workflow/modelNames';
import type { WorkflowDocument } from './workflowDocument';

export type TokenKind = 'nodeId' | 'classType' | 'link' | 'model' | 'type';

export interface SemanticToken extends JsonRange {
  readonly kind: TokenKind;
  /** The place where a node gets its id, not one that names it. */
  readonly isDeclaration: boolean;
}

/** Node ids, class types, links, model names and types, in the order of the text; none spans lines or overlaps another. */
export function semanticTokens(doc: WorkflowDocument): SemanticToken[] {
  const { graph, prompt } = doc;
  const found = graph ? graphTokens(graph) : prompt ? promptTokens(prompt) : [];
  found.sort((a, b) => a.offset - b.offset);
  let end = 0;
  return found.filter(({ offset, length }) => {
    if (offset < end || length === 0 || /[\r\n]/.test(doc.text.slice(offset, offset + length))) return false;
    end = offset + length;
    return true;
  });
}

function promptTokens({ nodes }: Prompt): SemanticToken[] {
  return nodes.flatMap(({ idNode, classTypeNode, inputs }) => [
    tokenOf('nodeId', idNode, true),
    ...some('classType', classTypeNode),
    ...inputs.flatMap(({ link, valueNode }) => {
      if (link && valueNode.kind === 'array') {
        const [id, slot] = valueNode.items;
        return [...some('nodeId', id), ...some('link', slot)];
      }
      return models(valueNode);
    }),
  ]);
}

function graphTokens(graph: Graph): SemanticToken[] {
  return scopesOf(graph).flatMap((scope) => [
    ...scope.nodes.flatMap(({ node, inputs, outputs, widgetsValues }) => {
      const id = node.get('id');
      return [
        ...(id ? [tokenOf('nodeId', id, true)] : []),
        ...some('classType', node.get('type')),
        ...inputs.flatMap((input) => [
          ...some('type', input.node.get('type')),
          ...some('link', input.node.get('link')),
        ]),
        ...outputs.flatMap((output) => {
          const ids = output.node.get('links');
          return [
            ...some('type', output.node.get('type')),
            ...(ids?.kind === 'array' ? ids.items.flatMap((each) => some('link', each)) : []),
          ];
        }),
        ...(widgetsValues?.kind === 'array' ? widgetsValues.items.flatMap(models) : []),
      ];
    }),
    ...[...scope.links.values()].flatMap((link) => [
      ...some('link', partNode(link, 'id')),
      ...some('nodeId', partNode(link, 'origin')),
      ...some('nodeId', partNode(link, 'target')),
      ...some('type', partNode(link, 'type')),
    ]),
  ]);
}

function models(node: JsonNode): SemanticToken[] {
  return node.kind === 'string' && isModelName(node.value) ? [tokenOf('model', node, false)] : [];
}

function some(kind: TokenKind, node: JsonNode | undefined): SemanticToken[] {
  return node?.kind === 'string' || node?.kind === 'number' ? [tokenOf(kind, node, false)] : [];
}

function tokenOf(kind: TokenKind, node: JsonNode, isDeclaration: boolean): SemanticToken {
  return { kind, ...rangeOf(node), isDeclaration };
}
