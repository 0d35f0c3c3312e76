import type { UploadKind } from '../catalog/inputSpec';
import type { NodeMode } from '../workflow/graph/graphNode';

/** Lengths are graph units: x to the right, y down. A node's position is the top left of its body, below the title. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export type RowKind =
  | 'number'
  | 'combo'
  | 'text'
  | 'toggle'
  | 'button'
  | 'slider'
  | 'knob'
  | 'color'
  | 'textBox'
  | 'markdown'
  /** A box that only a browser fills: a player, a viewer, a camera. */
  | 'box'
  /** A kind that only the newer page draws. */
  | 'notice';

export type SlotShape = 'circle' | 'hollow' | 'grid' | 'box' | 'arrow';

export interface DrawnSlot extends Point {
  readonly index: number;
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly shape: SlotShape;
  readonly isLinked: boolean;
  /** The widget that has it; its row shows the label. */
  readonly widget?: string | undefined;
  /** The direction in which its links leave, if not to the side. */
  readonly direction?: SlotDirection | undefined;
}

export type SlotDirection = 'up' | 'down' | 'left' | 'right';

export interface DrawnRow {
  readonly name: string;
  readonly label: string;
  readonly kind: RowKind;
  readonly text: string;
  readonly isOn?: boolean | undefined;
  /** The position of a slider, from 0 to 1. */
  readonly share?: number | undefined;
  readonly ends?: { readonly first: boolean; readonly last: boolean } | undefined;
  readonly isHidden: boolean;
  readonly y: number;
  readonly height: number;
  readonly isLinked: boolean;
  readonly isSeed?: true | undefined;
  readonly takes?: UploadKind | undefined;
  /** The file has another value than the default. */
  readonly canReset?: true | undefined;
  readonly was?: string | undefined;
}

export interface DrawnNode extends Box {
  readonly id: string;
  readonly type: string;
  readonly mode: NodeMode;
  readonly isOutput?: true | undefined;
  readonly isInstance: boolean;
  readonly title: string;
  readonly isCollapsed: boolean;
  readonly hasTitle: boolean;
  readonly inputs: readonly DrawnSlot[];
  readonly outputs: readonly DrawnSlot[];
  readonly rows: readonly DrawnRow[];
  readonly color: string | undefined;
  readonly bgcolor: string | undefined;
  readonly shape: 'round' | 'box' | 'card';
  readonly isMissing: boolean;
  readonly badges: readonly string[];
  readonly mark?: NodeMark | undefined;
}

/** Below this scale, nobody could read texts and values, and the ComfyUI editor draws none. */
export const legible = 0.57;

/** The height of a title, and of a collapsed node. */
export const titleHeight = 30;
export function nodeBox({ x, y, width, height, hasTitle, isCollapsed }: DrawnNode): Box {
  const above = hasTitle || isCollapsed ? titleHeight : 0;
  return { x, y: y - above, width, height: isCollapsed ? titleHeight : height + above };
}

/** The largest number of a list of any length, or `least`. */
export function largestNumber(numbers: readonly number[], least = 0): number {
  return numbers.reduce((most, each) => Math.max(most, each), least);
}

export function boxAround(parts: readonly (Point & Partial<Box>)[]): Box {
  const most = (edgeOf: (part: Point & Partial<Box>) => number): number =>
    parts.reduce((found, part) => Math.max(found, edgeOf(part)), parts.length > 0 ? -Infinity : 0);
  const [x, y] = [0 - most((part) => -part.x), 0 - most((part) => -part.y)];
  const [right, low] = [most(({ x, width = 0 }) => x + width), most(({ y, height = 0 }) => y + height)];
  return { x, y, width: right - x, height: low - y };
}

export function grownBox({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

export function movedTo(node: DrawnNode, { x, y }: Point): DrawnNode {
  const moved = (slot: DrawnSlot): DrawnSlot => ({ ...slot, x: slot.x + x - node.x, y: slot.y + y - node.y });
  return { ...node, x, y, inputs: node.inputs.map(moved), outputs: node.outputs.map(moved) };
}

/** A row as it is drawn; below it is a gap. */
export const rowHeight = 20;

export const changeKinds = ['added', 'removed', 'changed'] as const;

export interface NodeMark {
  readonly kind: (typeof changeKinds)[number];
  readonly words: readonly string[];
  readonly beside: readonly string[];
}
