import type { GroupFault } from '../../catalog/dynamic';
import { classPlace, namePlace, type NodeRule } from '../rule';
import { t } from '../../safety/localize';

export const groupSize: NodeRule = (node, _context, report) => {
  for (const fault of node.groupFaults) {
    const { kind, input } = fault;
    const place = kind === 'rows' ? { ...classPlace(node), input } : namePlace(node, input);
    report({ code: 'group-size', ...place, message: messageOf(fault), counts: 'checked' });
  }
};

function messageOf({ kind, group, input, rows, min, max }: GroupFault): string {
  switch (kind) {
    case 'rows':
      return t`${group} takes ${min} to ${max} rows, but has ${rows}. Add or remove inputs named ${group}.ROW.FIELD.`;
    case 'row':
      return t`${input} is one row too many. The rows of ${group} go from 0 to ${max - 1}. Remove it.`;
    case 'key':
      return t`${input} is not an input of the group ${group}; its inputs are named ${group}.ROW.FIELD. Rename or remove it.`;
  }
}
