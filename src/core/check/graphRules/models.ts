import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { JsonNode, JsonObject } from '../../json/node';
import type { GraphCompilation } from '../../workflow/graph/compileGraph';
import { objectsAmong, textMember } from '../../workflow/graph/members';
import type { RuleFinding } from '../rule';
import { graphNodeLabel, type LevelView } from '../graphRule';
import { t } from '../../safety/localize';
import { memoizeByObject } from '../../safety/memoizeByObject';

/** A model that the file says a node needs (properties.models), and that none of the node's lists has. */
export interface MissingModel {
  readonly node: JsonObject;
  readonly file: string;
  readonly name: string;
  /** Its folder below `models` on the server and its source, according to the file. */
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
  readonly hash?: string | undefined;
  readonly ruleFinding: RuleFinding;
}

export function missingModels({ level, definitionOf, server }: LevelView): MissingModel[] {
  return level.nodes.flatMap((node) => {
    const models = node.properties?.get('models');
    const definition = node.mode === 'always' ? definitionOf(node) : undefined;
    if (!definition || models?.kind !== 'array') return [];
    const offered = filesOf(definition);
    if (!offered) return [];
    const named = new Set<string>();
    return objectsAmong(models.items).flatMap((model): MissingModel[] => {
      const name = model.get('name');
      const [folder, url, hash] = ['directory', 'url', 'hash'].map((key) => textMember(model, key));
      const file = name?.kind === 'string' ? modelFileKey(name.value) : undefined;
      if (name?.kind !== 'string' || file === undefined || offered.has(file) || named.has(file)) return [];
      named.add(file);
      const known = { name: name.value, folder, url, hash };
      const missing = t`${name.value}, which ${graphNodeLabel(node)} needs, is not on ${server}.`;
      const message = withAdvice(missing, known);
      const ruleFinding: RuleFinding = { code: 'model-not-on-server', range: name, message };
      return [{ node: node.node, file, ...known, ruleFinding }];
    });
  });
}

function withAdvice(message: string, { folder, url }: Pick<MissingModel, 'folder' | 'url'>): string {
  if (folder === undefined)
    return url === undefined ? t`${message} Add it to the server.` : t`${message} Download it from ${url}.`;
  return url === undefined
    ? t`${message} Put it in ${folder}.`
    : t`${message} Download it to ${folder} from ${url}.`;
}

/** The files that a node type offers, which may be thousands; undefined if it has no list. */
const filesOf = memoizeByObject(({ inputs }: NodeDefinition): ReadonlySet<string> | undefined => {
  const lists = inputs.flatMap(({ spec }) => (spec.kind === 'combo' ? [spec.choices] : []));
  const names = lists.flat().map((choice) => (typeof choice === 'string' ? modelFileKey(choice) : ''));
  return lists.length === 0 ? undefined : new Set(names);
});

/** Adds the file's advice to findings about missing models, and removes those from `models`. */
export function withModelAdvice(
  ruleFindings: readonly RuleFinding[],
  models: Set<MissingModel>,
  valueOf: (ruleFinding: RuleFinding) => { readonly node: JsonNode; readonly value: string } | undefined,
): RuleFinding[] {
  if (models.size === 0) return [...ruleFindings];
  const byNode = new Map<JsonNode, Map<string, MissingModel>>();
  for (const model of models) {
    const ofNode = byNode.get(model.node) ?? new Map<string, MissingModel>();
    byNode.set(model.node, ofNode.set(model.file, model));
  }
  return ruleFindings.map((ruleFinding) => {
    if (ruleFinding.code !== 'option-unknown') return ruleFinding;
    const sent = valueOf(ruleFinding);
    const model = sent && byNode.get(sent.node)?.get(modelFileKey(sent.value));
    if (!model) return ruleFinding;
    models.delete(model);
    return { ...ruleFinding, message: withAdvice(ruleFinding.message, model) };
  });
}

/** `properties.models` outlives the choice of another model. */
export function isNamed({ node, file }: MissingModel, compiled: GraphCompilation): boolean {
  const values =
    compiled.kind === 'failed'
      ? [node.get('widgets_values'), node.get('widgets_values_named')]
      : compiled.source
          .executedIds(node)
          .flatMap((id) => compiled.prompt.node(id)?.inputs.map(({ valueNode }) => valueNode));
  return values.some((value) => value && names(value, file, 3));
}

function names(value: JsonNode, file: string, depth: number): boolean {
  if (value.kind === 'string') return modelFileKey(value.value) === file;
  if (depth === 0) return false;
  if (value.kind === 'array') return value.items.some((each) => names(each, file, depth - 1));
  if (value.kind !== 'object') return false;
  return value.properties.some((each) => each.value && names(each.value, file, depth - 1));
}

export function modelFileKey(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
}
