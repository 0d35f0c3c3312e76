import type { InputSpec } from '../../catalog/inputSpec';
import type { ExactValue } from '../../json/exactValue';

/** A widget of a node, as the editor makes it from the definition (workflows 2, B). */
export interface Widget {
  readonly name: string;
  /** The input that it belongs to; undefined for those that the editor adds. */
  readonly spec: InputSpec | undefined;
  /** Whether it has an element in `widgets_values`. */
  readonly isStored: boolean;
  /** Whether its value goes into the prompt. */
  readonly isSent: boolean;
  /** Undefined if the editor has none, as for a combo without options. */
  readonly defaultValue: ExactValue | undefined;
  /** The type of its slot; undefined for widgets without one. */
  readonly slotType: string | undefined;
}
