import type { JsonNode } from '../../json/node';
import { type GraphRule, graphNodeName } from '../graphRule';

/** Models that the file says it needs, and that no list of the node offers (properties.models). */
export const missingModels: GraphRule = ({ level, definitionOf, server }, report) => {
  for (const node of level.nodes) {
    const models = node.properties?.get('models');
    const definition = node.mode === 'always' ? definitionOf(node) : undefined;
    if (!definition || models?.kind !== 'array') continue;
    const lists = definition.inputs.flatMap(({ spec }) => (spec.kind === 'combo' ? [spec.choices] : []));
    const files = new Set(lists.flat().map((choice) => (typeof choice === 'string' ? fileOf(choice) : '')));
    if (lists.length === 0) continue;
    for (const model of models.items) {
      const [name, folder, url] = ['name', 'directory', 'url'].map((key) => member(model, key));
      if (name?.kind !== 'string' || files.has(fileOf(name.value))) continue;
      const where = folder?.kind === 'string' ? ` into ${folder.value}` : '';
      const from = url?.kind === 'string' ? ` from ${url.value}` : '';
      report({
        code: 'model-not-on-server',
        range: name,
        message: `${name.value}, which ${graphNodeName(node)} needs, is not on ${server}. Load it${where}${from}.`,
      });
    }
  }
};

function member(node: JsonNode, key: string): JsonNode | undefined {
  return node.kind === 'object' ? node.get(key) : undefined;
}

function fileOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
}
