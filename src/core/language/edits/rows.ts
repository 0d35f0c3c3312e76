import type { Catalog } from '../../catalog/catalog';
import type { DynamicGroupSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { writeExact } from '../../json/exactWriter';
import { type JsonNode, type JsonObject, rangeEnd } from '../../json/node';
import { removedItems, type TextEdit } from '../../json/textEdit';
import { t } from '../../safety/localize';
import type { Graph } from '../../workflow/graph/graph';
import { partNode, subgraphInputId } from '../../workflow/graph/graphLinks';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { readId, listMember, objectMember } from '../../workflow/graph/members';
import { proxyEntries } from '../../workflow/graph/promotedWidgets';
import type { Widget } from '../../workflow/graph/widget';
import { layOutWidgets } from '../../workflow/graph/widgets';
import { type WidgetValue, nodeWidgetValues } from '../../workflow/graph/widgetValues';
import type { PromptNode } from '../../workflow/prompt';
import { defaultText } from '../completion/completeNewInput';
import { graphNodeDefinition, widgetAt } from '../places/graphNodes';
import {
  type GraphPlace,
  type GraphScope,
  graphScopes,
  type PromptPlace,
  textLike,
} from '../places/workflowPlace';
import { promptNodeDefinition, givenIn } from '../places/nodeInputs';
import { EditPlan } from '../../json/editPlan';
import { memberEdits } from '../../json/editPlan';

export interface RowAction {
  readonly name: 'addRow' | 'removeRow';
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

interface Group {
  /** The name before the dots: `loras` of `loras.0.strength`. */
  readonly name: string;
  readonly spec: DynamicGroupSpec;
}

function rowOf(group: string, name: string): number | undefined {
  if (!name.startsWith(`${group}.`)) return undefined;
  const [, row] = /^(0|[1-9]\d*)\./.exec(name.slice(group.length + 1)) ?? [];
  return row === undefined ? undefined : Number(row);
}

/** The name that something has once a row is gone: the rows after it close up. */
function closedUp(group: string, name: string, removed: number): string | undefined {
  const row = rowOf(group, name);
  if (row === undefined || row <= removed) return undefined;
  return `${group}.${row - 1}${name.slice(`${group}.${row}`.length)}`;
}

function actionsFor(
  { name, spec }: Group,
  rows: readonly number[],
  here: string | undefined,
  edits: { readonly add: (row: number) => TextEdit[]; readonly remove: (row: number) => TextEdit[] },
): RowAction[] {
  const label = spec.groupName ?? name;
  const last = rows.reduce((most, each) => Math.max(most, each), -1);
  const row = (here === undefined ? undefined : rowOf(name, here)) ?? last;
  const found: RowAction[] = [];
  if (last + 1 < spec.max) {
    found.push({ name: 'addRow', title: t`Add Row to ${label}`, edits: edits.add(last + 1) });
  }
  if (rows.length > spec.min && row >= 0) {
    const title = t`Remove Row ${row + 1} from ${label}`;
    found.push({ name: 'removeRow', title, edits: edits.remove(row) });
  }
  return found.filter((each) => each.edits.length > 0);
}

/** Adding a row after the last one of each group of a node in a prompt, and removing the one at the cursor or the last. */
export function promptRowActions(
  place: Extract<PromptPlace, { readonly node: PromptNode }>,
  catalog: Catalog | undefined,
): RowAction[] {
  const { prompt, node } = place;
  const { inputsNode } = node;
  const definition = promptNodeDefinition(node, catalog);
  if (inputsNode?.kind !== 'object' || !definition) return [];
  const given = givenIn(node);
  return layOutWidgets(definition, ({ name }) => given.get(name)).widgets.flatMap(({ name, spec }) => {
    if (spec?.kind !== 'dynamicGroup') return [];
    const own = inputsNode.properties.filter((each) => rowOf(name, each.name) !== undefined);
    const rows = new Set(own.map((each) => rowOf(name, each.name) ?? 0));
    return actionsFor({ name, spec }, [...rows], 'name' in place ? place.name : undefined, {
      add: (row) => {
        const add = spec.fields.flatMap((field) => {
          const valueText = defaultText(field.spec);
          return valueText === undefined ? [] : [{ name: `${name}.${row}.${field.name}`, valueText }];
        });
        return memberEdits(prompt.document.text, inputsNode, { add, after: own.at(-1) });
      },
      remove: (row) => {
        const edits = new EditPlan(prompt.document.text);
        removeNames(edits, inputsNode, name, row);
        return edits.edits();
      },
    });
  });
}

function removeNames(edits: EditPlan, object: JsonObject, group: string, removed: number): void {
  for (const property of object.properties) {
    const name = closedUp(group, property.name, removed);
    if (name !== undefined) edits.replace(property.key, JSON.stringify(name));
    else if (rowOf(group, property.name) === removed) edits.remove(object, property);
  }
}

/** The same for a node of a graph: the number of rows, their values, and their slots. */
export function graphRowActions(
  place: Extract<GraphPlace, { readonly node: GraphNode }>,
  catalog: Catalog | undefined,
): RowAction[] {
  const { graph, scope, node } = place;
  const definition = graphNodeDefinition(node, catalog);
  if (!definition) return [];
  const stored = nodeWidgetValues(node, definition).filter(({ widget }) => widget.isStored);
  const widget = place.kind === 'widget' ? widgetAt(place, catalog)?.widget.name : undefined;
  const here = place.kind === 'input' ? place.input.name : widget;
  return stored.flatMap((count) => {
    const { name, spec } = count.widget;
    if (spec?.kind !== 'dynamicGroup' || count.refused) return [];
    const rows = (): RowsOfNode => new RowsOfNode(graph, scope, node, stored, count);
    return actionsFor({ name, spec }, [...Array(Number(count.value)).keys()], here, {
      add: (row) => rows().added(row, definition),
      remove: (row) => rows().removed(row),
    });
  });
}

class RowsOfNode {
  private readonly edits: EditPlan;
  private readonly group: string;
  /** Empty if the values are not in a list. */
  private readonly items: readonly JsonNode[];
  /** The values by name: instead of the list, or beside it. */
  private readonly names: JsonObject | undefined;

  constructor(
    private readonly graph: Graph,
    private readonly scope: GraphScope,
    private readonly node: GraphNode,
    private readonly stored: readonly WidgetValue[],
    private readonly count: WidgetValue,
  ) {
    const { widgetsValues, namedValues } = node;
    this.edits = new EditPlan(graph.document.text);
    this.group = count.widget.name;
    this.items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
    this.names = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  }

  /** Edits that add a row after the last one. The editor makes its slots when it opens the file. */
  added(row: number, definition: NodeDefinition): TextEdit[] {
    const { edits, group, items, names, node } = this;
    const values = new Map(this.stored.map(({ widget, value }) => [widget.name, value]));
    values.set(group, BigInt(row + 1));
    const widgets = layOutWidgets(definition, ({ name }) => values.get(name)).widgets.filter(
      (each) => each.isStored,
    );
    const isNew = ({ name }: Widget): boolean => rowOf(group, name) === row;
    const valueText = (widget: Widget): string => {
      return writeExact(values.get(widget.name) ?? widget.defaultValue ?? null);
    };
    this.setCount(row + 1);
    if (names) for (const each of widgets.filter(isNew)) edits.set(names, each.name, valueText(each));
    // Values that an incomplete list lacks must be added before more can follow.
    const first = items.slice(0, widgets.findIndex(isNew));
    const texts = widgets.slice(first.length, widgets.findLastIndex(isNew) + 1).map(valueText);
    const [last, before] = [first.at(-1), first.at(-2)];
    const separator = last && before ? this.graph.document.text.slice(rangeEnd(before), last.offset) : ', ';
    if (last) edits.replace({ offset: rangeEnd(last), length: 0 }, separator + texts.join(separator));
    else if (!names || node.widgetsValues?.kind === 'array') {
      edits.set(node.node, 'widgets_values', `[${texts.join(separator)}]`);
    }
    return edits.edits();
  }

  /** Edits that remove a row with its values, slots and links; those after it close up. None if something else needs it. */
  removed(row: number): TextEdit[] {
    const { edits, group, items, names, stored } = this;
    const { inputs, node, id } = this.node;
    if (this.isNeeded(row)) return [];
    this.setCount(Number(this.count.value) - 1);
    if (names) removeNames(edits, names, group, row);
    const isOfRow = (name = ''): boolean => rowOf(group, name) === row;
    const gone = new Set(items.filter((_, at) => isOfRow(stored[at]?.widget.name)));
    for (const { name, node: slot } of inputs) {
      if (isOfRow(name)) gone.add(slot);
      const renamed = closedUp(group, name, row);
      for (const each of [slot.get('name'), objectMember(slot, 'widget')?.get('name')]) {
        if (each && renamed !== undefined) edits.replace(each, JSON.stringify(renamed));
      }
    }
    const byLink = new Map(inputs.map((input) => [input.link, input]));
    const cut = new Set<string | undefined>();
    for (const link of this.scope.rows) {
      if (link.targetId !== id) continue;
      const target = partNode(link, 'targetSlot');
      const slot = inputs.slice(0, link.targetSlot).filter((each) => !gone.has(each.node)).length;
      if (gone.has((byLink.get(link.id) ?? inputs[link.targetSlot])?.node ?? node)) {
        cut.add(link.id);
        gone.add(link.node);
      } else if (target && slot < link.targetSlot) edits.replace(target, textLike(target, String(slot)));
    }
    const links = this.scope.node.kind === 'object' ? listMember(this.scope.node, 'links') : [];
    for (const list of [items, listMember(node, 'inputs'), links]) this.cut(list, (each) => gone.has(each));
    for (const { outputs } of this.scope.nodes) {
      for (const output of outputs)
        this.cut(listMember(output.node, 'links'), (each) => cut.has(readId(each)));
    }
    return edits.edits();
  }

  /** Whether a subgraph shows a row or one after it, which would then be another one, or others share its link. */
  private isNeeded(row: number): boolean {
    const { node, scope, group } = this;
    const isFed = node.inputs.some(({ name, link: id = '' }) => {
      const link = rowOf(group, name) === row ? scope.links.get(id) : undefined;
      return link && (link.originId === subgraphInputId || scope.shared.has(link));
    });
    const nodes = graphScopes(this.graph).flatMap((each) => each.nodes);
    const isShown = ([id, name = '']: string[]): boolean =>
      id === node.id && (rowOf(group, name) ?? -1) >= row;
    return isFed || nodes.flatMap(proxyEntries).some(isShown);
  }

  private setCount(count: number): void {
    const { edits, names, group } = this;
    if (this.count.valueNode) edits.replace(this.count.valueNode, String(count));
    if (names && (this.items.length === 0 || names.property(group))) edits.set(names, group, String(count));
  }

  private cut(items: readonly JsonNode[], isGone: (item: JsonNode) => boolean): void {
    for (const each of removedItems(items, isGone)) this.edits.replace(each, '');
  }
}
