import { expandInputs } from '../../catalog/dynamic';
import { classPlace, type NodeRule } from '../rule';

/** Groups of rows with fewer or more rows than the class takes. */
export const groupSize: NodeRule = (node, _context, report) => {
  if (!node.definition?.inputs.some(({ spec }) => spec.kind === 'dynamicGroup')) return;
  for (const { name, rows, min, max } of expandInputs(node.definition, node.values ?? new Map())
    .wrongGroups) {
    const message = `${name} has ${rows} rows; the class takes ${min} to ${max}. Add or remove inputs ${name}.N.`;
    report({ code: 'group-size', ...classPlace(node), input: name, message, counts: 'checked' });
  }
};
