import type { Catalog } from '../../catalog/catalog';
import type { NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { type AddedInput, followingWidgets } from './extraWidgets';
import type { GroupDefinition, GroupLink } from './graph';
import type { GraphNode } from './graphNode';
import { isPrimitive } from './virtualNodes';
import { editorInputs, isWidget } from './widgets';
import { objectMember } from './members';
import { type Groups, groupByKey } from './grouped';

/** An input that a group node shows, and the inner input behind it. */
export interface GroupInput {
  readonly name: string;
  readonly type: string;
  readonly index: number;
  readonly inputName: string;
}

export interface GroupOutput {
  readonly type: string;
  readonly index: number;
  readonly slot: number;
}

/** An element of the instance's `widgets_values`: the value of one inner widget. */
export interface GroupValue {
  readonly index: number;
  readonly inputName: string;
  readonly controls: number;
}

type Input = NamedSpec | AddedInput;

/** What a group node shows, in the editor's order: each node's widgets and open inputs, then all widgets with a slot. */
export class GroupNames {
  readonly inputs: GroupInput[] = [];
  readonly outputs: GroupOutput[] = [];
  readonly values: GroupValue[] = [];
  private readonly seen = new Map<string, number>();
  private readonly links: GroupLinks;

  constructor(
    private readonly group: GroupDefinition,
    private readonly catalog: Catalog,
  ) {
    this.links = new GroupLinks(group);
    const late = group.nodes.flatMap((node, index) => this.add(node, index));
    for (const { node, index, input } of late) this.showWidget(node, index, input);
  }

  private add(node: GraphNode, index: number) {
    const definition = this.catalog.get(node.type);
    if (node.type === 'Reroute') this.addReroute(node, index);
    else if (isPrimitive(node.type)) this.addPrimitive(node, index);
    else if (definition) return this.addKnown(node, index, definition);
    else this.addUnknown(node, index);
    return [];
  }

  /** Returns the widgets with a slot: they get their names after all nodes. */
  private addKnown(node: GraphNode, index: number, definition: NodeDefinition) {
    const converted = new Map<number, Input>();
    const slots: Input[] = [];
    for (const input of editorInputs(definition)) {
      if (!isWidget(input)) {
        slots.push(input);
        continue;
      }
      const slot = node.inputs.findIndex(({ name, widget }) => name === input.name && widget === input.name);
      if (slot >= 0) converted.set(slot, input);
      else {
        this.nameOf(node, index, input.name);
        this.values.push({ index, inputName: input.name, controls: controlsOf(input) });
      }
    }
    for (const [at, { name, spec }] of slots.entries()) {
      const slot = node.inputs.findIndex((each) => each.name === name);
      if (!this.links.has('to', index, slot < 0 ? at : slot)) this.show(node, index, name, spec.type);
    }
    for (const [slot, { type }] of definition.outputs.entries()) {
      this.addOutput(index, slot, typeof type === 'string' ? type : 'COMBO');
    }
    const order = [...converted].sort(([a], [b]) => a - b);
    return order.flatMap(([slot, input]) =>
      this.links.has('to', index, slot) ? [] : [{ node, index, input }],
    );
  }

  private showWidget(node: GraphNode, index: number, input: Input): void {
    const name = this.nameOf(node, index, input.name);
    this.inputs.push({ name, type: input.spec.type, index, inputName: input.name });
    this.values.push({ index, inputName: input.name, controls: controlsOf(input) });
  }

  /** For a node type that the server does not know, only the file can be used. */
  private addUnknown(node: GraphNode, index: number): void {
    for (const [slot, { name, type, widget }] of node.inputs.entries()) {
      if (widget === undefined && !this.links.has('to', index, slot)) this.show(node, index, name, type);
    }
    for (const [slot, { type }] of node.outputs.entries()) this.addOutput(index, slot, type);
  }

  /** A reroute is shown only at its open ends. */
  private addReroute(node: GraphNode, index: number): void {
    const [incoming] = this.links.byTarget.list(index);
    const outgoing = this.links.byOrigin.list(index);
    if (incoming && outgoing.length > 0 && !this.links.has('external', index, 0)) return;
    const type = this.rerouteType(incoming, outgoing, index);
    if (!incoming) this.show(node, index, type, type);
    this.addOutput(index, 0, type);
  }

  private rerouteType(
    incoming: GroupLink | undefined,
    outgoing: readonly GroupLink[],
    index: number,
  ): string {
    for (const { targetIndex, targetSlot } of outgoing) {
      const type = this.group.nodes[targetIndex]?.inputs[targetSlot]?.type;
      if (type !== undefined && type !== '*') return type;
    }
    if (outgoing.length > 0) return '*';
    if (incoming) return this.group.nodes[incoming.originIndex]?.outputs[incoming.originSlot]?.type ?? '*';
    const outer = this.group.outerTypes.get(index);
    return outer ?? this.links.externalTypes.get(index) ?? '*';
  }

  private addPrimitive(node: GraphNode, index: number): void {
    if (this.links.byOrigin.list(index).length === 0) return;
    this.nameOf(node, index, 'value');
    this.values.push({ index, inputName: 'value', controls: 0 });
    this.addOutput(index, 0, node.outputs[0]?.type ?? '*');
  }

  private addOutput(index: number, slot: number, type: string): void {
    const isUsed = this.links.has('from', index, slot);
    const isHidden = isUsed && !this.links.has('external', index, slot);
    const { visible = !isHidden } = groupSetting(this.group, index, 'output', String(slot));
    if (visible) this.outputs.push({ type, index, slot });
  }

  private show(node: GraphNode, index: number, inputName: string, type: string): void {
    const name = this.nameOf(node, index, inputName);
    const { visible = true } = groupSetting(this.group, index, 'input', inputName);
    if (visible) this.inputs.push({ name, type, index, inputName });
  }

  private nameOf(node: GraphNode, index: number, inputName: string): string {
    const label = node.inputs.find(({ name }) => name === inputName)?.label;
    let name = groupSetting(this.group, index, 'input', inputName).name ?? label ?? inputName;
    let key = name;
    if ((isPrimitive(node.type) && node.title !== undefined && node.title !== '') || this.seen.has(name)) {
      const prefix = `${node.title ?? node.type} `;
      key = name = `${prefix}${inputName}`;
      const times = this.seen.get(name);
      if (times !== undefined) name = `${prefix}${times} ${inputName}`;
    }
    this.seen.set(key, (this.seen.get(key) ?? 1) + 1);
    return name;
  }
}

function controlsOf({ name, spec }: Input): number {
  return followingWidgets('', spec.kind === 'int' ? 'INT' : spec.type, name, spec).after.filter(
    ({ isStored }) => isStored,
  ).length;
}

function groupSetting(group: GroupDefinition, index: number, side: 'input' | 'output', name: string) {
  const setting = objectMember(objectMember(objectMember(group.config, String(index)), side), name);
  const [shownName, visible] = [setting?.get('name'), setting?.get('visible')];
  return {
    name: shownName?.kind === 'string' ? shownName.value : undefined,
    visible: visible?.kind === 'boolean' ? visible.value : undefined,
  };
}

/** The links of a group node by their ends, so that a large group is not searched once per slot. */
class GroupLinks {
  readonly byOrigin: Groups<number, GroupLink>;
  readonly byTarget: Groups<number, GroupLink>;
  /** The type of the first output of a node that is shown without a link. */
  readonly externalTypes: ReadonlyMap<number, string>;
  private readonly ends: ReadonlySet<string>;

  constructor({ links, external }: GroupDefinition) {
    this.byOrigin = groupByKey(links, ({ originIndex }) => originIndex);
    this.byTarget = groupByKey(links, ({ targetIndex }) => targetIndex);
    this.externalTypes = new Map(external.map(({ index, type }) => [index, type] as const).reverse());
    this.ends = new Set([
      ...links.map(({ originIndex, originSlot }) => `from ${originIndex} ${originSlot}`),
      ...links.map(({ targetIndex, targetSlot }) => `to ${targetIndex} ${targetSlot}`),
      ...external.map(({ index, slot }) => `external ${index} ${slot}`),
    ]);
  }

  has(end: 'from' | 'to' | 'external', index: number, slot: number): boolean {
    return this.ends.has(`${end} ${index} ${slot}`);
  }
}
