import type { Catalog } from '../../catalog/catalog';
import type { JsonNode, JsonRange, JsonString } from '../../json/node';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { listMember, objectsAmong, textMember } from '../../workflow/graph/members';
import { nodeWidgetValues } from '../../workflow/graph/widgetValues';
import { type MediaFolder, findMediaInputs, splitFolderNote } from '../../workflow/mediaInputs';
import { graphNodeDefinition } from '../places/graphNodes';
import { graphScopes } from '../places/workflowPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

export type DocumentLink = JsonRange &
  (
    | { readonly kind: 'url'; readonly url: string; readonly tooltip: string }
    /** A file that an input names; the caller checks whether the workspace has it. */
    | {
        readonly kind: 'file';
        /** Without the area suffix; it may include a subfolder. Unchecked: it comes from the file. */
        readonly fileName: string;
        readonly folder: MediaFolder;
        readonly tooltip: string;
      }
  );

/** Node types whose first widget is a media file on every server, for use without a catalog. */
const loaders = new Set(['LoadImage', 'LoadImageMask', 'LoadAudio', 'LoadVideo']);

/** Pictures and sounds that inputs name, model addresses, and sources in `properties.models`. */
export function documentLinks(doc: WorkflowDocument, catalog?: Catalog): DocumentLink[] {
  const { prompt, graph } = doc;
  const found = graph
    ? graphLinks(graph, catalog)
    : prompt
      ? [
          ...findMediaInputs(prompt, catalog).map(({ valueNode }) => fileLink(valueNode)),
          ...prompt.nodes.flatMap(({ inputs }) => inputs.flatMap(({ valueNode }) => urlLink(valueNode))),
        ]
      : [];
  return found.sort((a, b) => a.offset - b.offset);
}

function graphLinks(graph: Graph, catalog: Catalog | undefined): DocumentLink[] {
  const root = graph.node.kind === 'object' ? graph.node : undefined;
  const nodes = graphScopes(graph).flatMap((scope) => scope.nodes);
  const models = [
    ...listMember(root, 'models'),
    ...nodes.flatMap((node) => listMember(node.properties, 'models')),
  ];
  return [
    ...objectsAmong(models).flatMap((model) => {
      const url = model.get('url');
      return url ? urlLink(url, textMember(model, 'name')) : [];
    }),
    ...nodes.flatMap((node) => mediaOf(node, catalog)),
  ];
}

function mediaOf(node: GraphNode, catalog: Catalog | undefined): DocumentLink[] {
  const definition = graphNodeDefinition(node, catalog);
  const named: (JsonNode | undefined)[] = definition
    ? nodeWidgetValues(node, definition).map(({ widget, valueNode }) => {
        return widget.spec?.kind === 'combo' && widget.spec.upload ? valueNode : undefined;
      })
    : loaders.has(node.type) && node.widgetsValues?.kind === 'array'
      ? node.widgetsValues.items.slice(0, 1)
      : [];
  return named.flatMap((value) => (value?.kind === 'string' && value.value !== '' ? [fileLink(value)] : []));
}

function fileLink(node: JsonString): DocumentLink {
  return {
    ...inQuotes(node),
    kind: 'file',
    ...splitFolderNote(node.value),
    tooltip: t`Open file in workspace`,
  };
}

/** Only complete strings that are web addresses; nothing else is opened. */
function urlLink(node: JsonNode, name?: string): DocumentLink[] {
  if (node.kind !== 'string' || !/^https?:\/\/[^\s"<>\\]+$/i.test(node.value)) return [];
  const tooltip = name === undefined ? t`Open URL` : t`Download page of ${name}`;
  return [{ ...inQuotes(node), kind: 'url', url: node.value, tooltip }];
}

function inQuotes({ offset, length }: JsonRange): JsonRange {
  return { offset: offset + 1, length: length - 2 };
}
