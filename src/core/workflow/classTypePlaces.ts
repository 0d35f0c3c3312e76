import type { JsonString } from '../json/node';
import type { Graph } from './graph/graph';
import type { GraphNode } from './graph/graphNode';
import { textMember } from './graph/members';
import { roleOf } from './graph/virtualNodes';
import type { Prompt } from './prompt';
import type { WorkflowDocument } from './workflowDocument';

/** Where a workflow file names the class of a node. */
export interface ClassTypePlace {
  readonly classType: string;
  /** The name in the text, with its quotes. */
  readonly node: JsonString;
  /** The id of the pack that the web page noted in the node. */
  readonly pack?: string | undefined;
  /** The repository of the pack on GitHub, `owner/name`, where the web page noted that. */
  readonly repository?: string | undefined;
}

/**
 * Every class type that a file needs a server to have, in file order. Left out are nodes that the web page makes by
 * itself (workflows 1.3): notes, reroutes, group nodes, instances of subgraphs.
 */
export function classTypePlaces({ prompt, graph }: WorkflowDocument): ClassTypePlace[] {
  if (prompt) return placesInPrompt(prompt);
  return graph ? placesInGraph(graph) : [];
}

function placesInPrompt({ nodes }: Prompt): ClassTypePlace[] {
  return nodes.flatMap(({ classTypeNode: node }) =>
    node?.kind === 'string' ? [{ classType: node.value, node }] : [],
  );
}

function placesInGraph(graph: Graph): ClassTypePlace[] {
  const all = [
    ...graph.nodes,
    ...[...graph.subgraphs.values(), ...graph.groups.values()].flatMap(({ nodes }) => nodes),
  ];
  return all.flatMap((node) => {
    const type = node.node.get('type');
    if (type?.kind !== 'string' || roleOf(node) !== 'executed' || isPartOfFile(node)) return [];
    return [{ classType: type.value, node: type, ...packOf(node) }];
  });

  function isPartOfFile({ type }: GraphNode): boolean {
    return graph.subgraphs.has(type) || /^workflow[/>]/.test(type);
  }
}

/** `cnr_id` is the name of the pack in the registry; packs that are not there have their repository in `aux_id`. */
function packOf({ properties }: GraphNode): Pick<ClassTypePlace, 'pack' | 'repository'> {
  const pack = properties && textMember(properties, 'cnr_id');
  const repository = properties && textMember(properties, 'aux_id');
  return {
    pack: pack === '' ? undefined : pack,
    repository: repository !== undefined && onGitHub.test(repository) ? repository : undefined,
  };
}

const onGitHub = /^[A-Za-z\d][A-Za-z\d-]{0,38}\/[\w.-]{1,100}$/;
