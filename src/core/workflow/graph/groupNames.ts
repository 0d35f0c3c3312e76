import type { Catalog } from '../../catalog/catalog';
import type { NamedSpec } from '../../catalog/inputSpec';
import type { GraphNode, GroupDefinition, GroupLink } from './graph';
import { groupSetting } from './groupNodes';
import { isPrimitive } from './virtualNodes';
import { isWidget } from './widgets';

/** An input that a group node shows, and the inner input behind it. */
export interface GroupInput {
  readonly name: string;
  readonly type: string;
  readonly index: number;
  readonly inputName: string;
  readonly isWidget: boolean;
}

/** An output that a group node shows, and the inner output behind it. */
export interface GroupOutput {
  readonly type: string;
  readonly index: number;
  readonly slot: number;
}

/**
 * Names what a group node shows, in the editor's order: per inner node its widgets, then the sockets that nothing inside
 * feeds, then the slots of widgets; a name that is taken gets the title or the type of its node before it.
 */
export class GroupNames {
  readonly inputs: GroupInput[] = [];
  readonly outputs: GroupOutput[] = [];
  private readonly seen = new Map<string, number>();
  private readonly widgets = new Map<string, 'now' | 'late' | 'never'>();
  private readonly primitives = new Set<number>();

  constructor(
    private readonly group: GroupDefinition,
    private readonly catalog: Catalog,
  ) {
    for (const [index, node] of group.nodes.entries()) this.add(node, index);
  }

  /** Whether the instance owns the value of an inner widget, and if, in its turn or after all others of its node. */
  shownWidget(index: number, name: string): 'now' | 'late' | 'never' {
    return this.widgets.get(`${index} ${name}`) ?? 'now';
  }

  showsPrimitive(index: number): boolean {
    return this.primitives.has(index);
  }

  private add(node: GraphNode, index: number): void {
    if (node.type === 'Reroute') return this.addReroute(node, index);
    if (isPrimitive(node.type)) return this.addPrimitive(node, index);
    const definition = this.catalog.get(node.type);
    if (!definition) return;
    const converted = new Map<number, NamedSpec>();
    const sockets: NamedSpec[] = [];
    for (const input of definition.inputs) {
      if (!isWidget(input)) {
        sockets.push(input);
        continue;
      }
      const slot = node.inputs.findIndex(({ name, widget }) => name === input.name && widget === input.name);
      if (slot >= 0) converted.set(slot, input);
      else this.nameOf(node, index, input.name);
    }
    for (const [slot, { name, spec }] of sockets.entries()) {
      if (this.isFed(node, index, name, slot)) continue;
      this.show(node, index, name, spec.type, false);
    }
    // Slots are sorted as texts, so that 10 stands before 9.
    const order = [...converted].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    for (const [at, [, { name, spec }]] of order.entries()) {
      const isFed = this.isFed(node, index, name, sockets.length + at);
      this.widgets.set(`${index} ${name}`, isFed ? 'never' : 'late');
      if (!isFed) this.show(node, index, name, spec.type, true);
    }
    for (const [slot, { type }] of definition.outputs.entries()) {
      this.addOutput(index, slot, typeof type === 'string' ? type : 'COMBO');
    }
  }

  /** A reroute is shown only at its open ends. */
  private addReroute(node: GraphNode, index: number): void {
    const [incoming] = this.group.links.filter(({ targetIndex }) => targetIndex === index);
    const outgoing = this.group.links.filter(({ originIndex }) => originIndex === index);
    if (incoming && outgoing.length > 0 && !this.isExternal(index, 0)) return;
    const type = this.rerouteType(incoming, outgoing, index);
    if (!incoming) this.show(node, index, type, type, false);
    this.addOutput(index, 0, type);
  }

  private rerouteType(incoming: GroupLink | undefined, outgoing: readonly GroupLink[], index: number): string {
    for (const { targetIndex, targetSlot } of outgoing) {
      const type = this.group.nodes[targetIndex]?.inputs[targetSlot]?.type;
      if (type !== undefined && type !== '*') return type;
    }
    if (outgoing.length > 0) return '*';
    if (incoming) return this.group.nodes[incoming.originIndex]?.outputs[incoming.originSlot]?.type ?? '*';
    const outer = this.group.outerTypes.get(index);
    return outer ?? this.group.external.find((each) => each.index === index)?.type ?? '*';
  }

  private addPrimitive(node: GraphNode, index: number): void {
    if (!this.group.links.some(({ originIndex }) => originIndex === index)) return;
    this.primitives.add(index);
    this.nameOf(node, index, 'value');
    this.addOutput(index, 0, node.outputs[0]?.type ?? '*');
  }

  private addOutput(index: number, slot: number, type: string): void {
    const isUsed = this.group.links.some((each) => each.originIndex === index && each.originSlot === slot);
    const isHidden = isUsed && !this.isExternal(index, slot);
    const { visible = !isHidden } = groupSetting(this.group, index, 'output', String(slot));
    if (visible) this.outputs.push({ type, index, slot });
  }

  private show(node: GraphNode, index: number, inputName: string, type: string, isWidget: boolean): void {
    const name = this.nameOf(node, index, inputName);
    const { visible = true } = groupSetting(this.group, index, 'input', inputName);
    if (visible || isWidget) this.inputs.push({ name, type, index, inputName, isWidget });
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

  private isFed(node: GraphNode, index: number, name: string, slot: number): boolean {
    return this.group.links.some((link) => {
      if (link.targetIndex !== index) return false;
      const target = node.inputs[link.targetSlot];
      return target ? target.name === name : link.targetSlot === slot;
    });
  }

  private isExternal(index: number, slot: number): boolean {
    return this.group.external.some((each) => each.index === index && each.slot === slot);
  }
}
