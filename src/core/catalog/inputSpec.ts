import type { ExactObject, ExactValue } from '../json/exactValue';

/** The members that every input declaration may have, whatever its type (workflows 3). */
export interface SpecBase {
  /** The type as the server names it: `INT`, `IMAGE,MASK`, `COMBO` (also for the old form, where a list is the type). */
  readonly type: string;
  /** The first element of the declaration unchanged: a name, or the option list of an old combo. */
  readonly rawType: ExactValue;
  /** The second element, `{}` where there is none: `[rawType, options]` is the server's `input_config`. */
  readonly options: ExactObject;
  readonly default?: ExactValue | undefined;
  readonly tooltip?: string | undefined;
  readonly displayName?: string | undefined;
  /** The widget that the editor shows for a type without its own, such as a union. */
  readonly widgetType?: string | undefined;
  /** A socket even if the type has a widget. */
  readonly forceInput: boolean;
  readonly lazy: boolean;
  readonly advanced: boolean;
  readonly hidden: boolean;
}

/** `control_after_generate`: true, or the name of the widget that controls it. */
export type ControlAfterGenerate = boolean | string;

export interface IntSpec extends SpecBase {
  readonly kind: 'int';
  /** Limits are exact; if the server gives a fraction, it is kept. */
  readonly min?: bigint | number | undefined;
  readonly max?: bigint | number | undefined;
  readonly step?: bigint | number | undefined;
  readonly controlAfterGenerate: ControlAfterGenerate;
}
export interface FloatSpec extends SpecBase {
  readonly kind: 'float';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  /** Digits to round to; also absent if the server says `false`. */
  readonly round?: number | undefined;
}
export interface StringSpec extends SpecBase {
  readonly kind: 'string';
  readonly dynamicPrompts: boolean;
}
export interface BooleanSpec extends SpecBase {
  readonly kind: 'boolean';
  readonly labelOn?: string | undefined;
  readonly labelOff?: string | undefined;
}
export type UploadKind = 'image' | 'video' | 'audio' | 'mesh' | 'file';

export interface ComboSpec extends SpecBase {
  readonly kind: 'combo';
  /** The options exactly as the server has them: text, numbers, booleans, null, even lists. */
  readonly choices: readonly ExactValue[];
  readonly multiselect: boolean;
  /** The list comes from another route; `choices` is empty then. */
  readonly remote?: ExactObject | undefined;
  readonly upload?: UploadKind | undefined;
}
export interface UnionSpec extends SpecBase {
  readonly kind: 'union';
  readonly types: readonly string[];
}
export interface AnySpec extends SpecBase {
  readonly kind: 'any';
}
export interface SocketSpec extends SpecBase {
  readonly kind: 'socket';
}
export interface DynamicComboSpec extends SpecBase {
  readonly kind: 'dynamicCombo';
  readonly branches: readonly { readonly key: ExactValue; readonly inputs: readonly NamedSpec[] }[];
}
export interface AutogrowSpec extends SpecBase {
  readonly kind: 'autogrow';
  /** The names after the dot that the server accepts. */
  readonly names: readonly string[];
  readonly min: number;
  /** The declaration of each of them; undefined when the server's template names nothing. */
  readonly template: NamedSpec | undefined;
}
export interface MatchTypeSpec extends SpecBase {
  readonly kind: 'matchType';
  readonly allowedTypes: readonly string[];
}
export interface DynamicSlotSpec extends SpecBase {
  readonly kind: 'dynamicSlot';
  readonly slotType: string;
  readonly inputs: readonly NamedSpec[];
}
export interface DynamicGroupSpec extends SpecBase {
  readonly kind: 'dynamicGroup';
  readonly fields: readonly NamedSpec[];
  readonly min: number;
  readonly max: number;
  readonly groupName?: string | undefined;
}

export type InputSpec =
  | IntSpec
  | FloatSpec
  | StringSpec
  | BooleanSpec
  | ComboSpec
  | UnionSpec
  | AnySpec
  | SocketSpec
  | DynamicComboSpec
  | AutogrowSpec
  | MatchTypeSpec
  | DynamicSlotSpec
  | DynamicGroupSpec;

/** An input inside a section: `required` inputs must be there, `optional` ones may be left out. */
export interface NamedSpec {
  readonly name: string;
  readonly section: 'required' | 'optional';
  readonly spec: InputSpec;
}
