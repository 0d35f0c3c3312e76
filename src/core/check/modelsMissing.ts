import { isExactList } from '../json/exactValue';
import type { JsonNode, JsonRange } from '../json/node';
import { compiledOnce } from '../workflow/graph/compileGraph';
import { listMember, objectsAmong, textMember } from '../workflow/graph/members';
import { inputModelFolder, isModelName } from '../workflow/modelNames';
import type { Prompt } from '../workflow/prompt';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import type { CheckContext } from './checkContext';
import { indexOfChoices } from './choiceIndex';
import { unwrapLiteral } from './convertLiteral';
import { graphNodeLabel, graphLevelViews } from './graphRule';
import { modelFileKey, isNamed, missingModels } from './graphRules/models';
import { type NodeView, viewPrompt } from './promptView';
import { t } from '../safety/localize';

/** A model that a workflow file needs and the server does not have. */
export interface MissingModelFile {
  /** As spelled in the file, with its folder if given. */
  readonly name: string;
  /** Below `models` on the server: from the file, or else from the inputs that use such names. */
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
  readonly hash?: string | undefined;
  readonly nodes: readonly NeedingNode[];
}

export interface NeedingNode {
  readonly name: string;
  readonly range: JsonRange;
}

/** Every model that a workflow file needs and the server does not have, each once, in the order of the file. */
export function modelsMissing(
  document: WorkflowDocument,
  context: Pick<CheckContext, 'catalog' | 'replacements'>,
): MissingModelFile[] {
  const { prompt, graph } = document;
  if (!context.catalog) return [];
  const found = new FoundModels();
  if (prompt) {
    const inPrompt = ({ source }: NodeView): JsonRange => source.classTypeNode ?? source.node;
    addChosen(prompt, context, found, (node) => ({
      name: t`${node.source.title ?? node.classType ?? t`node`} (node ${node.id})`,
      range: inPrompt(node),
    }));
    return found.list();
  }
  if (!graph) return [];
  const compiled = compiledOnce(graph, context.catalog);
  const names = new Map<JsonNode, string>();
  for (const level of graphLevelViews(graph, context.catalog, t`the server`)) {
    for (const node of level.nodes.values()) {
      names.set(node.node, graphNodeLabel(node));
      for (const model of objectsAmong(listMember(node.properties, 'models'))) found.tell(model);
    }
    for (const model of missingModels(level)) {
      const { node, name, folder, url, hash } = model;
      if (isNamed(model, compiled))
        found.add({ name, folder, url, hash }, { name: names.get(node) ?? '', range: node });
    }
  }
  const models = graph.node.kind === 'object' ? listMember(graph.node, 'models') : [];
  for (const model of objectsAmong(models)) found.tell(model);
  if (compiled.kind === 'failed') return found.list();
  addChosen(compiled.prompt, context, found, ({ id }) => {
    const node = compiled.source.node(id);
    return node && { name: names.get(node) ?? '', range: node };
  });
  return found.list();
}

/** Adds the models that are chosen and are none of the options. */
function addChosen(
  prompt: Prompt,
  { catalog, replacements }: Pick<CheckContext, 'catalog' | 'replacements'>,
  found: FoundModels,
  placeOf: (node: NodeView) => NeedingNode | undefined,
): void {
  for (const node of viewPrompt(prompt, catalog, replacements).nodes.values()) {
    for (const { name: input, spec } of node.declared.values()) {
      if (spec.kind !== 'combo' || spec.options.has('remote_combo') || spec.upload !== undefined) continue;
      const given = node.values?.get(input);
      if (given === undefined) continue;
      const value = unwrapLiteral(given);
      const options = indexOfChoices(spec.choices);
      for (const name of spec.multiselect && isExactList(value) ? value : [value]) {
        if (typeof name !== 'string' || !isModelName(name) || options.has(name)) continue;
        if (options.spelledLike(name).length > 0 || options.filesLike(name).length > 0) continue;
        const place = placeOf(node);
        if (place) found.add({ name, folder: inputModelFolder(node.classType, input) }, place);
      }
    }
  }
}

type Known = Pick<MissingModelFile, 'name' | 'folder' | 'url' | 'hash'>;

class FoundModels {
  readonly #models = new Map<string, Known & { readonly nodes: Map<number, NeedingNode> }>();
  /** The models that the file describes, missing or not. */
  readonly #told = new Map<string, Omit<Known, 'name'>>();

  tell(model: Parameters<typeof textMember>[0]): void {
    const name = textMember(model, 'name');
    if (name === undefined || this.#told.has(modelFileKey(name))) return;
    this.#told.set(modelFileKey(name), {
      folder: textMember(model, 'directory'),
      url: textMember(model, 'url'),
      hash: textMember(model, 'hash'),
    });
  }

  add({ name, folder, url, hash }: Known, node: NeedingNode): void {
    const known = this.#models.get(modelFileKey(name));
    const nodes = known?.nodes ?? new Map<number, NeedingNode>();
    if (!nodes.has(node.range.offset)) nodes.set(node.range.offset, node);
    this.#models.set(modelFileKey(name), {
      // A selected value may include a folder; a node's own metadata does not.
      name: known && known.name.length > name.length ? known.name : name,
      folder: known?.folder ?? folder,
      url: known?.url ?? url,
      hash: known?.hash ?? hash,
      nodes,
    });
  }

  list(): MissingModelFile[] {
    return [...this.#models]
      .map(([file, model]) => {
        const told = this.#told.get(file);
        return {
          ...model,
          folder: told?.folder ?? model.folder,
          url: told?.url ?? model.url,
          hash: told?.hash ?? model.hash,
          nodes: [...model.nodes.values()],
        };
      })
      .sort((a, b) => (a.nodes[0]?.range.offset ?? 0) - (b.nodes[0]?.range.offset ?? 0));
  }
}
