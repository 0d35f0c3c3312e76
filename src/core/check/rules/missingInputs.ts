import type { InputSpec } from '../../catalog/inputSpec';
import { writeExact } from '../../json/exactWriter';
import type { ExactValue } from '../../json/exactValue';
import type { FixHint } from '../finding';
import { classPlace, type NodeRule } from '../rule';
import { fittingOutput } from '../wording';
import { t } from '../../safety/localize';

/** Required inputs missing from the file (workflows 4.2, row 1). */
export const missingInputs: NodeRule = (node, _context, report) => {
  const { values, declared } = node;
  if (!values) return;
  for (const { name, section, spec } of declared.values()) {
    if (section !== 'required' || values.has(name)) continue;
    const text = valueToInsert(spec);
    const { classType = '' } = node;
    // The inputs of a replaced node are right for the node type in the file.
    const fix: FixHint = node.isReplaced
      ? { kind: 'replaceNode', nodeId: node.id, classType }
      : text === undefined
        ? { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type }
        : { kind: 'insertInput', nodeId: node.id, input: name, text };
    report({
      code: 'missing-input',
      ...classPlace(node),
      input: name,
      message:
        text === undefined
          ? t`Input ${name} is missing. Link it to ${fittingOutput(spec)}.`
          : t`Input ${name} is missing. Add it, for example as ${text}.`,
      counts: 'checked',
      fix,
    });
  }
};

/** The JSON text that a new input of this kind starts with; undefined for inputs that accept only links. */
function valueToInsert(spec: InputSpec): string | undefined {
  if (spec.forceInput) return undefined;
  const value = spec.default ?? firstValue(spec);
  return value === undefined ? undefined : writeExact(value);
}

function firstValue(spec: InputSpec): ExactValue | undefined {
  switch (spec.kind) {
    case 'int':
      return spec.min ?? 0n;
    case 'float':
      return spec.min ?? 0;
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'combo':
      return spec.choices[0] ?? '';
    default:
      return undefined;
  }
}
