import type { GroupDefinition, GroupLink } from './graph';
import { grouped } from './grouped';

/** The links of a group node by their ends, so that a large group is not searched once per slot. */
export class GroupLinks {
  private readonly byOrigin: ReadonlyMap<number, readonly GroupLink[]>;
  private readonly byTarget: ReadonlyMap<number, readonly GroupLink[]>;
  private readonly used = new Set<string>();
  private readonly fed = new Set<string>();
  private readonly external = new Set<string>();
  private readonly externalTypes = new Map<number, string>();

  constructor({ links, external }: Pick<GroupDefinition, 'links' | 'external'>) {
    this.byOrigin = grouped(links, ({ originIndex }) => originIndex);
    this.byTarget = grouped(links, ({ targetIndex }) => targetIndex);
    for (const link of links) {
      this.used.add(end(link.originIndex, link.originSlot));
      this.fed.add(end(link.targetIndex, link.targetSlot));
    }
    for (const { index, slot, type } of external) {
      this.external.add(end(index, slot));
      if (!this.externalTypes.has(index)) this.externalTypes.set(index, type);
    }
  }

  from(index: number): readonly GroupLink[] {
    return this.byOrigin.get(index) ?? [];
  }

  into(index: number): readonly GroupLink[] {
    return this.byTarget.get(index) ?? [];
  }

  isUsed(index: number, slot: number): boolean {
    return this.used.has(end(index, slot));
  }

  isFed(index: number, slot: number): boolean {
    return this.fed.has(end(index, slot));
  }

  isExternal(index: number, slot: number): boolean {
    return this.external.has(end(index, slot));
  }

  externalType(index: number): string | undefined {
    return this.externalTypes.get(index);
  }
}

function end(index: number, slot: number): string {
  return `${index} ${slot}`;
}
