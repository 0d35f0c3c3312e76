import { exactEquals } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';
import type { InputSpec, NamedSpec } from './inputSpec';
import type { NodeDefinition } from './nodeDefinition';

/** One input of a node as the server validates it, with dynamic inputs expanded: `resize_type.width`. */
export interface ExpandedInput {
  readonly name: string;
  readonly section: 'required' | 'optional';
  readonly spec: InputSpec;
  readonly parent?: string | undefined;
}

export interface ExpandedInputs {
  readonly inputs: readonly ExpandedInput[];
  /** With a dynamic input, the server reports missing inputs by their last part only (workflows 4.2). */
  readonly hasDynamic: boolean;
  /** Problems of groups of rows. The server reports the first one and nothing else in the node. */
  readonly groupFaults: readonly GroupFault[];
}

/** A group with too few or too many rows, or an input under its name that is not a field of a row. */
export interface GroupFault {
  /** `row`: a row beyond the last; `key`: a name of another form than `group.row.field`. */
  readonly kind: 'rows' | 'row' | 'key';
  readonly group: string;
  /** The wrong input; the group itself if it has too few or too many rows. */
  readonly input: string;
  readonly rows: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Expands the dynamic inputs of a node type for the inputs in a prompt, as the server does before it validates
 * (workflows 4.6). A dynamic combo without a known key disappears with all its inputs; an autogrow input accepts every
 * name up to its maximum, whether or not the prompt has it; a dynamic slot counts only if the prompt has it.
 */
export function expandInputs(
  definition: NodeDefinition,
  given: ReadonlyMap<string, ExactValue>,
): ExpandedInputs {
  const fixed = fixedInputs.get(definition);
  if (fixed) return fixed;
  const expansion = new Expansion(given);
  expansion.addAll(definition.inputs, undefined);
  const { hasDynamic, groupFaults } = expansion;
  const expanded = { inputs: [...expansion.inputs.values()], hasDynamic, groupFaults };
  if (!definition.inputs.some(({ spec }) => dynamicKinds.has(spec.kind)))
    fixedInputs.set(definition, expanded);
  return expanded;
}

/** The inputs of node types whose inputs do not depend on the prompt: nearly all of them. */
const fixedInputs = new WeakMap<NodeDefinition, ExpandedInputs>();

const dynamicKinds: ReadonlySet<InputSpec['kind']> = new Set([
  'dynamicCombo',
  'dynamicSlot',
  'autogrow',
  'dynamicGroup',
]);

class Expansion {
  readonly inputs = new Map<string, ExpandedInput>();
  readonly groupFaults: GroupFault[] = [];
  hasDynamic = false;

  constructor(private readonly given: ReadonlyMap<string, ExactValue>) {}

  addAll(inputs: readonly NamedSpec[], prefix: string | undefined): void {
    for (const input of inputs) this.add(input, prefix);
  }

  private add({ name: last, section, spec }: NamedSpec, prefix: string | undefined): void {
    const name = prefix === undefined ? last : `${prefix}.${last}`;
    switch (spec.kind) {
      case 'dynamicCombo': {
        const key = this.given.get(name);
        const branch =
          key === undefined ? undefined : spec.branches.find((each) => exactEquals(each.key, key));
        if (!branch) return;
        this.put(name, section, spec, prefix);
        this.hasDynamic = true;
        this.addAll(branch.inputs, name);
        return;
      }
      case 'dynamicSlot':
        if (!this.given.has(name)) return;
        this.put(name, section, spec, prefix);
        this.hasDynamic = true;
        this.addAll(spec.inputs, name);
        return;
      case 'autogrow':
        this.hasDynamic = true;
        spec.names.forEach((each, index) => {
          if (!spec.template) return;
          const isRequired = spec.template.section === 'required' && index < spec.min;
          this.add(
            { name: each, section: isRequired ? 'required' : 'optional', spec: spec.template.spec },
            name,
          );
        });
        return;
      case 'dynamicGroup':
        this.addRows(name, spec);
        return;
      default:
        this.put(name, section, spec, prefix);
        if (prefix !== undefined) this.hasDynamic = true;
    }
  }

  private addRows(group: string, spec: Extract<InputSpec, { kind: 'dynamicGroup' }>): void {
    const { min, max, fields } = spec;
    const names = new Set(fields.map(({ name }) => name));
    const rows = new Set<number>();
    this.hasDynamic = true;
    for (const input of this.given.keys()) {
      if (!input.startsWith(`${group}.`)) continue;
      const [, row, field = ''] = /^(0|[1-9]\d*)\.(.*)$/s.exec(input.slice(group.length + 1)) ?? [];
      if (row === undefined || !names.has(field)) {
        this.groupFaults.push({ kind: 'key', group, input, rows: rows.size, min, max });
      } else if (Number(row) >= max) {
        this.groupFaults.push({ kind: 'row', group, input, rows: rows.size, min, max });
      } else rows.add(Number(row));
    }
    if (rows.size < min || rows.size > max) {
      this.groupFaults.push({ kind: 'rows', group, input: group, rows: rows.size, min, max });
    }
    for (const row of [...rows].sort((a, b) => a - b)) this.addAll(fields, `${group}.${row}`);
  }

  private put(
    name: string,
    section: 'required' | 'optional',
    spec: InputSpec,
    parent: string | undefined,
  ): void {
    // A name in both sections counts as required: the server checks that section first.
    if (this.inputs.get(name)?.section === 'required') return;
    this.inputs.set(name, { name, section, spec, parent });
  }
}
