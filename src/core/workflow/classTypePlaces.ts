import type { JsonString } from '../json/node';
import type { Graph } from './graph/graph';
import type { GraphNode } from './graph/graphNode';
import { virtualNodeRole } from './graph/virtualNodes';
import { promptNodeIdentity, packIdentity, type PackIdentity } from './packIdentity';
import type { Prompt } from './prompt';
import type { WorkflowDocument } from './workflowDocument';
import type { Catalog } from '../catalog/catalog';

export interface ClassTypePlace {
  readonly classType: string;
  readonly node: JsonString;
  readonly pack?: string | undefined;
  readonly repository?: string | undefined;
}

/** Every node type that a file needs on a server, in file order, without those of the editor itself (workflows 1.3). */
export function classTypePlaces({ prompt, graph }: WorkflowDocument): ClassTypePlace[] {
  if (prompt) return placesInPrompt(prompt);
  return graph ? placesInGraph(graph) : [];
}

function placesInPrompt({ nodes }: Prompt): ClassTypePlace[] {
  return nodes.flatMap((each) => {
    const { classTypeNode: type } = each;
    return type?.kind === 'string' ? [placeOf(type, promptNodeIdentity(each))] : [];
  });
}

function placesInGraph(graph: Graph): ClassTypePlace[] {
  const all = [
    ...graph.nodes,
    ...[...graph.subgraphs.values(), ...graph.groups.values()].flatMap(({ nodes }) => nodes),
  ];
  return all.flatMap((node) => {
    const type = node.node.get('type');
    if (type?.kind !== 'string' || virtualNodeRole(node) !== 'executed' || isPartOfFile(node)) return [];
    return [placeOf(type, packIdentity(node.properties))];
  });

  function isPartOfFile({ type }: GraphNode): boolean {
    return graph.subgraphs.has(type) || /^workflow[/>]/.test(type);
  }
}

function placeOf(node: JsonString, { cnr_id: pack, aux_id: repository }: PackIdentity): ClassTypePlace {
  return { classType: node.value, node, pack, repository };
}

export function isWithoutPartners(prompt: Prompt, catalog: Catalog): boolean {
  return prompt.nodes.every(({ classType }) => {
    const definition = classType === undefined ? undefined : catalog.get(classType);
    return definition !== undefined && !definition.apiNode;
  });
}

export function findPartnerNodes(prompt: Prompt, catalog: Catalog): string[] {
  const classTypes = prompt.nodes.flatMap(({ classType }) => {
    return classType !== undefined && catalog.get(classType)?.apiNode === true ? [classType] : [];
  });
  return [...new Set(classTypes)];
}
