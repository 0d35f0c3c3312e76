import { exactEquals } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';
import type { InputSpec, NamedSpec } from './inputSpec';
import type { NodeDefinition } from './nodeDefinition';

/** One input of a node as the server checks it, dynamic inputs expanded: `resize_type.width`. */
export interface ExpandedInput {
  /** The full dotted name, as it stands in the prompt. */
  readonly name: string;
  readonly section: 'required' | 'optional';
  readonly spec: InputSpec;
  /** The dynamic input that it came from. */
  readonly parent?: string;
}

/** The inputs of one node, for the values that it has. */
export interface ExpandedInputs {
  /** In display order; each name once. */
  readonly inputs: readonly ExpandedInput[];
  /** Whether any dynamic input took part; the server then names missing inputs by their last part only (workflows 4.2). */
  readonly hasDynamic: boolean;
  /** Groups with too few or too many rows; the server refuses these nodes at once. */
  readonly wrongGroups: readonly WrongGroup[];
}

export interface WrongGroup {
  readonly name: string;
  readonly rows: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Expands the dynamic inputs of a class for the inputs that a prompt gives it, as the server does before it checks
 * anything (workflows 4.6). A dynamic combo without a known key vanishes with all its inputs; an autogrow input gives
 * every name up to its maximum, whether the prompt has it or not; a dynamic slot counts only when the prompt has it.
 */
export function expandInputs(
  definition: NodeDefinition,
  given: ReadonlyMap<string, ExactValue>,
): ExpandedInputs {
  const expansion = new Expansion(given);
  expansion.addAll(definition.inputs, undefined);
  return {
    inputs: [...expansion.inputs.values()],
    hasDynamic: expansion.hasDynamic,
    wrongGroups: expansion.wrongGroups,
  };
}

class Expansion {
  readonly inputs = new Map<string, ExpandedInput>();
  readonly wrongGroups: WrongGroup[] = [];
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

  private addRows(name: string, spec: Extract<InputSpec, { kind: 'dynamicGroup' }>): void {
    const rows = new Set<string>();
    for (const key of this.given.keys()) {
      const row = key.startsWith(`${name}.`) ? /^\d+(?=\.)/.exec(key.slice(name.length + 1))?.[0] : undefined;
      if (row !== undefined) rows.add(row);
    }
    this.hasDynamic = true;
    if (rows.size < spec.min || rows.size > spec.max) {
      this.wrongGroups.push({ name, rows: rows.size, min: spec.min, max: spec.max });
      return;
    }
    for (const row of rows) this.addAll(spec.fields, `${name}.${row}`);
  }

  private put(
    name: string,
    section: 'required' | 'optional',
    spec: InputSpec,
    parent: string | undefined,
  ): void {
    // A name in both sections counts as required: the server looks there first.
    if (this.inputs.get(name)?.section === 'required') return;
    this.inputs.set(name, { name, section, spec, ...(parent === undefined ? {} : { parent }) });
  }
}
