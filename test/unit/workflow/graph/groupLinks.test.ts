import { describe, expect, it } from 'vitest';
import type { GroupLink } from '../../../../src/core/workflow/graph/graph';
import { GroupLinks } from '../../../../src/core/workflow/graph/groupNames';
import { promptFromText } from '../../../../src/core/workflow/prompt';

const { root: node } = promptFromText('{}');

function link(originIndex: number, originSlot: number, targetIndex: number, targetSlot: number): GroupLink {
  if (!node) throw new Error('no JSON');
  return { originIndex, originSlot, targetIndex, targetSlot, type: 'IMAGE', node };
}

describe('the links of a group node', () => {
  const [one, two, three] = [link(0, 1, 2, 0), link(0, 1, 3, 11), link(1, 0, 3, 1)];
  const external = [
    { index: 3, slot: 2, type: 'MASK' },
    { index: 3, slot: 0, type: 'IMAGE' },
  ];
  const links = new GroupLinks({ links: [one, two, three], external });

  it('are found from both ends, in their order', () => {
    expect([links.from(0), links.from(1), links.from(2)]).toEqual([[one, two], [three], []]);
    expect([links.into(2), links.into(3), links.into(0)]).toEqual([[one], [two, three], []]);
  });

  it('use outputs and feed inputs, slot by slot', () => {
    expect([links.isUsed(0, 1), links.isUsed(0, 0), links.isUsed(2, 0)]).toEqual([true, false, false]);
    expect([links.isFed(3, 1), links.isFed(3, 0), links.isFed(0, 1)]).toEqual([true, false, false]);
    // 3 and 11 are not 31 and 1.
    expect([links.isFed(3, 11), links.isFed(31, 1)]).toEqual([true, false]);
  });

  it('tell which outputs are shown without one, and the first type of a node that has any', () => {
    expect([links.isExternal(3, 2), links.isExternal(3, 0), links.isExternal(3, 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([links.externalType(3), links.externalType(0)]).toEqual(['MASK', undefined]);
  });
});
