import type { Catalog } from '../../catalog/catalog';
import type { DynamicGroupSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { writeExact } from '../../json/exactWriter';
import type { JsonNode, JsonObject, JsonProperty } from '../../json/node';
import { rangesOfItems, insertProperty, type TextEdit } from '../../json/textEdit';
import { t } from '../../safety/localize';
import { type Graph, subgraphInputId } from '../../workflow/graph/graph';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { listMember, objectMember } from '../../workflow/graph/members';
import { type InputSlot, layOut } from '../../workflow/graph/widgets';
import { type WidgetValue, widgetsOf } from '../../workflow/graph/widgetValues';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { defaultText } from '../completion/completeNewInput';
import { widgetAt } from '../hover/hoverGraph';
import { classOf, nodeIn, subgraphOf } from '../places/graphNodes';
import { type GraphPlace, type GraphScope, idText, partNode, scopesOf } from '../places/graphPlace';
import { endOf } from '../places/jsonPlace';
import { definitionOf } from '../places/nodeInputs';
import type { PromptPlace } from '../places/promptPlace';
import { EditPlan } from './editPlan';
import { memberEdits } from './memberEdits';

/** A change to the rows of a dynamic group. */
export interface RowAction {
  readonly name: 'addRow' | 'removeRow';
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

interface Rows {
  readonly group: string;
  readonly spec: DynamicGroupSpec;
}

function rowsIn({ inputs }: NodeDefinition): Rows[] {
  return inputs.flatMap(({ name, spec }) => (spec.kind === 'dynamicGroup' ? [{ group: name, spec }] : []));
}

/** The row that an input or widget belongs to. */
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
  { group, spec }: Rows,
  rows: readonly number[],
  here: number | undefined,
  edits: { readonly add: (row: number) => TextEdit[]; readonly remove: (row: number) => TextEdit[] },
): RowAction[] {
  const label = spec.groupName ?? group;
  const last = Math.max(-1, ...rows);
  const row = here ?? last;
  const found: RowAction[] = [];
  if (last + 1 < spec.max) {
    found.push({ name: 'addRow', title: t`Add Row to ${label}`, edits: edits.add(last + 1) });
  }
  if (rows.length > spec.min && row >= 0) {
    found.push({
      name: 'removeRow',
      title: t`Remove Row ${row + 1} from ${label}`,
      edits: edits.remove(row),
    });
  }
  return found.filter((each) => each.edits.length > 0);
}

/** Adding a row after the last one of each group of a node in a prompt, and removing the one at the cursor or the last. */
export function promptRowActions(
  { document }: Prompt,
  place: PromptPlace,
  node: PromptNode,
  catalog: Catalog | undefined,
): RowAction[] {
  const definition = definitionOf(node, catalog);
  const { inputsNode } = node;
  if (!definition || inputsNode?.kind !== 'object') return [];
  return rowsIn(definition).flatMap((group) => {
    const own = inputsNode.properties.filter(({ name }) => rowOf(group.group, name) !== undefined);
    const rows = new Set(own.map(({ name }) => rowOf(group.group, name) ?? 0));
    const here = 'name' in place ? rowOf(group.group, place.name) : undefined;
    return actionsFor(group, [...rows], here, {
      add: (row) => rowInPrompt(document.text, inputsNode, own.at(-1), group, row),
      remove: (row) => {
        const edits = new EditPlan(document.text);
        removeNames(edits, inputsNode, group.group, row);
        return edits.edits();
      },
    });
  });
}

function rowInPrompt(
  text: string,
  inputs: JsonObject,
  after: JsonProperty | undefined,
  { group, spec }: Rows,
  row: number,
): TextEdit[] {
  const add = spec.fields.flatMap(({ name, spec: field }) => {
    const valueText = defaultText(field);
    return valueText === undefined ? [] : [{ name: `${group}.${row}.${name}`, valueText }];
  });
  if (!after) return memberEdits(text, inputs, { add });
  const added = add.map(({ name, valueText }) => insertProperty(text, inputs, name, valueText).newText);
  return [{ offset: endOf(after), length: 0, newText: added.join('') }];
}

/** Removes the members of a row, and lets the later ones close up. */
function removeNames(edits: EditPlan, object: JsonObject, group: string, removed: number): void {
  for (const property of object.properties) {
    const name = closedUp(group, property.name, removed);
    if (name !== undefined) edits.replace(property.key, JSON.stringify(name));
    else if (rowOf(group, property.name) === removed) edits.remove(object, property);
  }
}

/** The same for a node of a graph: the number of rows, their values and their slots. */
export function graphRowActions(
  graph: Graph,
  place: GraphPlace,
  node: GraphNode,
  catalog: Catalog | undefined,
): RowAction[] {
  const definition = classOf(node, catalog);
  if (!definition) return [];
  const widget = place.kind === 'widget' ? widgetAt(place, catalog)?.widget.name : undefined;
  const name = place.kind === 'input' ? place.input.name : widget;
  return rowsIn(definition).flatMap((group) => {
    const rows = new RowsOfNode(graph, place.scope, node, definition, group.group);
    const here = name === undefined ? undefined : rowOf(group.group, name);
    return actionsFor(group, [...Array(rows.count).keys()], here, {
      add: (row) => rows.added(row),
      remove: (row) => rows.removed(row),
    });
  });
}

/** The rows of one group in a node of a graph. */
class RowsOfNode {
  readonly count: number;
  private readonly text: string;
  private readonly stored: readonly WidgetValue[];
  private readonly list: readonly JsonNode[] | undefined;
  /** The values by name: instead of the list, or beside it. */
  private readonly named: JsonObject | undefined;

  constructor(
    private readonly graph: Graph,
    private readonly scope: GraphScope,
    private readonly node: GraphNode,
    private readonly definition: NodeDefinition,
    private readonly group: string,
  ) {
    const { widgetsValues, namedValues } = node;
    this.text = graph.document.text;
    this.stored = widgetsOf(node, definition).filter(({ widget }) => widget.isStored);
    this.count = Number(this.stored.find(({ widget }) => widget.name === group)?.value ?? 0);
    this.list = widgetsValues?.kind === 'array' ? widgetsValues.items : undefined;
    this.named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  }

  /** Edits that add a row after the last one. */
  added(row: number): TextEdit[] {
    const { group, named, node, list } = this;
    const edits = new EditPlan(this.text);
    const values = new Map(this.stored.map(({ widget, value }) => [widget.name, value]));
    const layout = layOut(this.definition, ({ name }) =>
      name === group ? BigInt(row + 1) : values.get(name),
    );
    const isNew = ({ name }: { readonly name: string }): boolean => rowOf(group, name) === row;
    const widgets = layout.widgets.filter((widget) => widget.isStored && isNew(widget));
    const slots = layout.slots.filter(isNew);
    const texts = widgets.map(({ defaultValue }) => writeExact(defaultValue ?? null));
    if (named) {
      edits.set(named, group, String(row + 1));
      for (const [at, { name }] of widgets.entries()) edits.set(named, name, texts[at] ?? 'null');
    }
    if (list || !named) {
      const isOfGroup = (name: string): boolean => name === group || rowOf(group, name) !== undefined;
      const end = this.stored.findLastIndex(({ widget }) => isOfGroup(widget.name)) + 1;
      // What an incomplete list lacks has to be there once more follows.
      const lacking = this.stored.slice(list?.length ?? 0, end).map(({ widget, value }) => {
        return widget.name === group ? String(row + 1) : writeExact(value ?? null);
      });
      this.setCount(edits, row + 1);
      const all = [...lacking, ...texts];
      if (list) insertAfter(edits, this.text, list.slice(0, end), node.widgetsValues ?? node.node, all);
      else edits.set(node.node, 'widgets_values', `[${all.join(', ')}]`);
    }
    // Older files have slots only for linked widgets.
    const inputs = node.node.get('inputs');
    const areListed =
      row === 0
        ? node.inputs.some(({ widget, link }) => widget !== undefined && link === undefined)
        : node.inputs.filter(({ name }) => rowOf(group, name) === row - 1).length === slots.length;
    if (inputs?.kind === 'array' && areListed) {
      insertAfter(edits, this.text, inputs.items, inputs, slots.map(slotText));
    }
    return edits.edits();
  }

  /**
   * Edits that remove a row. None if a subgraph promotes it or one after it: what shows it there would then show
   * another one.
   */
  removed(row: number): TextEdit[] {
    const { group, named, list } = this;
    if (this.isPromoted(row)) return [];
    const edits = new EditPlan(this.text);
    if (named?.property(group)) edits.set(named, group, String(this.count - 1));
    if (named) removeNames(edits, named, group, row);
    if (list) {
      this.setCount(edits, this.count - 1);
      removeItems(edits, list, (_, at) => rowOf(group, this.stored[at]?.widget.name ?? '') === row);
    }
    this.removeSlots(edits, row);
    return edits.edits();
  }

  private setCount(edits: EditPlan, count: number): void {
    const place = this.list?.[this.stored.findIndex(({ widget }) => widget.name === this.group)];
    if (place) edits.replace(place, String(count));
  }

  private removeSlots(edits: EditPlan, row: number): void {
    const { inputs, node, id } = this.node;
    const isGone = ({ name }: GraphInput): boolean => rowOf(this.group, name) === row;
    for (const { name, node: slot } of inputs) {
      const renamed = closedUp(this.group, name, row);
      const names = [slot.get('name'), objectMember(slot, 'widget')?.get('name')];
      for (const each of names)
        if (each && renamed !== undefined) edits.replace(each, JSON.stringify(renamed));
    }
    const gone = new Set<JsonNode>(inputs.filter(isGone).map((input) => input.node));
    removeItems(edits, listMember(node, 'inputs'), (item) => gone.has(item));
    const slots = inputs.flatMap((input, slot) => (isGone(input) ? [slot] : []));
    const named = new Map(inputs.map((input) => [input.link, input]));
    const links = [...this.scope.links.values()].filter(({ targetId }) => targetId === id);
    const cut = links.filter((link) => {
      const input = named.get(link.id) ?? inputs[link.targetSlot];
      return input !== undefined && isGone(input);
    });
    for (const link of links) {
      const target = cut.includes(link) ? undefined : partNode(link, 'targetSlot');
      const before = slots.filter((slot) => slot < link.targetSlot).length;
      const number = String(link.targetSlot - before);
      if (target && before > 0)
        edits.replace(target, target.kind === 'string' ? JSON.stringify(number) : number);
    }
    const rows = this.scope.node.kind === 'object' ? listMember(this.scope.node, 'links') : [];
    removeItems(edits, rows, (item) => cut.some((link) => link.node === item));
    for (const origin of new Set(cut.map(({ originId }) => nodeIn(this.scope, originId)))) {
      for (const output of origin?.outputs ?? []) {
        removeItems(edits, listMember(output.node, 'links'), (item) =>
          cut.some((link) => link.id === idText(item)),
        );
      }
    }
  }

  private isPromoted(row: number): boolean {
    const subgraph = subgraphOf(this.graph, this.scope);
    if (!subgraph) return false;
    const isFed = this.node.inputs.some(({ name, link = '' }) => {
      return rowOf(this.group, name) === row && this.scope.links.get(link)?.originId === subgraphInputId;
    });
    const instances = scopesOf(this.graph).flatMap(({ nodes }) =>
      nodes.filter(({ type }) => type === subgraph.id),
    );
    const entries = instances.flatMap(({ properties }) => listMember(properties, 'proxyWidgets'));
    const isShown = entries.some((entry) => {
      const [id, name] = entry.kind === 'array' ? entry.items : [];
      const isOfNode = id !== undefined && idText(id) === this.node.id && name?.kind === 'string';
      return isOfNode && (rowOf(this.group, name.value) ?? -1) >= row;
    });
    return isFed || isShown;
  }
}

function slotText({ name, type, widget }: InputSlot): string {
  const own = widget === undefined ? {} : { widget: { name: widget } };
  return JSON.stringify({ name, type, ...own, link: null });
}

/** Inserts elements after those of a list that come first, laid out like them. */
function insertAfter(
  edits: EditPlan,
  text: string,
  first: readonly JsonNode[],
  list: JsonNode,
  texts: readonly string[],
): void {
  const [last, before] = [first.at(-1), first.at(-2)];
  const separator = last && before ? text.slice(endOf(before), last.offset) : ', ';
  const place = { offset: last ? endOf(last) : list.offset + 1, length: 0 };
  if (texts.length > 0) edits.replace(place, (last ? separator : '') + texts.join(separator));
}

function removeItems(
  edits: EditPlan,
  items: readonly JsonNode[],
  isGone: (item: JsonNode, index: number) => boolean,
): void {
  const gone = new Set(items.filter(isGone));
  for (const cut of rangesOfItems(items, (item) => gone.has(item))) edits.replace(cut, '');
}
