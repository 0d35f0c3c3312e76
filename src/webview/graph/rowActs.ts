import type { DrawnNode, DrawnRow, RowKind } from '../../core/drawing/drawnNode';
import { hasDie } from '../../core/drawing/rowSvg';
import { svgText, type SvgElement } from '../../core/drawing/markSvg';
import type { GraphAct } from '../contract/graphPanel';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';

const numbers: ReadonlySet<RowKind> = new Set(['number', 'slider', 'knob']);

const texts: ReadonlySet<RowKind> = new Set(['text', 'textBox', 'markdown', 'color']);

function isStepped({ kind }: DrawnRow): boolean {
  return numbers.has(kind) || kind === 'combo';
}

/** Whether an editor opens in a row. */
export function hasEditor(row: DrawnRow): boolean {
  return isStepped(row) || texts.has(row.kind);
}

export function rowNamed(node: DrawnNode | undefined, name: string | undefined): DrawnRow | undefined {
  return node?.rows.find((row) => row.name === name && !row.isHidden);
}

/** The rows that are drawn as elements. */
export function shownRows({ rows, isCollapsed }: DrawnNode): readonly DrawnRow[] {
  const isBox = (kind: RowKind): boolean => kind === 'textBox' || kind === 'markdown' || kind === 'box';
  return isCollapsed ? [] : rows.filter((row) => !row.isHidden && !(row.isLinked && isBox(row.kind)));
}

/** As in the ComfyUI editor: where a row steps, from each of its node's sides. */
const arrowWidth = 40;
const knobWidth = 45;

/** The direction in which a click steps a value. @param x from the left of its node */
export function stepAt({ kind, isLinked }: DrawnRow, x: number, { width }: DrawnNode): 1 | -1 | undefined {
  if (isLinked) return undefined;
  if (kind === 'toggle') return x > width - knobWidth ? 1 : undefined;
  if (kind !== 'number' && kind !== 'combo') return undefined;
  return x < arrowWidth ? -1 : x > width - arrowWidth ? 1 : undefined;
}

export type RowAct =
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  | { readonly kind: 'move'; readonly by: 1 | 0 | -1 }
  | { readonly kind: 'edit' | 'leave' };

export function rowAct(key: string, row: DrawnRow): RowAct | undefined {
  const hasSteps = row.kind === 'toggle' || isStepped(row);
  switch (key) {
    case 'ArrowUp':
      return { kind: 'move', by: -1 };
    case 'ArrowDown':
      return { kind: 'move', by: 1 };
    case 'ArrowLeft':
      return hasSteps ? { kind: 'step', by: -1 } : { kind: 'move', by: 0 };
    case 'ArrowRight':
      return hasSteps ? { kind: 'step', by: 1 } : { kind: 'move', by: 0 };
    case 'Escape':
      return { kind: 'leave' };
    case ' ':
    case 'Enter':
    case 'F2':
      return row.kind === 'toggle' ? { kind: 'step', by: 1 } : { kind: 'edit' };
    default:
      return undefined;
  }
}

/** Cut, Copy and Paste, which do nothing elsewhere. */
export const fieldMenu = JSON.stringify({ preventDefaultContextMenuItems: false });

/** The data for the menu of a node, or of one of its rows (`webview/context` in package.json). */
export function menuContext(
  { id, rows, mode, isOutput, isInstance }: DrawnNode,
  row: DrawnRow | undefined,
  facts: { readonly hasModes: boolean; readonly hasProblems: boolean },
): object {
  const isOwn = row !== undefined && !row.isLinked;
  return {
    webviewSection: row ? 'graphRow' : 'graphNode',
    node: id,
    row: row?.name,
    graphEdits: isOwn && hasEditor(row),
    graphResets: isOwn && row.canReset === true,
    graphOutput: isOutput === true,
    graphInstance: isInstance,
    graphProblem: facts.hasProblems,
    graphSeed: rows.some(({ isSeed, isLinked }) => isSeed && !isLinked),
    graphMode: facts.hasModes ? mode : '',
  };
}

/** The action of Ctrl+M and Ctrl+B, as in the ComfyUI editor. */
export function modeAct(key: string, { mode }: DrawnNode): GraphAct | undefined {
  if (key === 'm') return mode === 'muted' ? 'unmute' : 'mute';
  if (key === 'b') return mode === 'bypassed' ? 'removeBypass' : 'bypass';
  return undefined;
}

/** Between the value and the arrow. Whoever can't point at it has the menu. */
function dieElement({ y }: DrawnRow, width: number): SvgElement {
  return svgText(
    'g',
    { class: 'die', transform: `translate(${width - 46.5} ${y + 4.5})`, 'aria-hidden': 'true' },
    svgText('title', {}, t`New Seed`),
    svgText('rect', { width: 11, height: 11, rx: 2.5 }),
    svgText('path', { d: 'M3 3v.1M8 3v.1M5.5 5.5v.1M3 8v.1M8 8v.1' }),
  );
}

function givenWords(): string {
  return t`Select a file. You can also drop one here with Shift, or paste one onto the selected node.`;
}

/** Tells screen readers what the rows of a node are, and adds what is only for a pointer. */
export function withRowRoles(whole: SvgElement, { rows, width }: DrawnNode): SvgElement {
  const takesFile = rows.some(({ takes }) => takes !== undefined);
  const byName = new Map(rows.toReversed().map((row) => [row.name, row]));
  const withRoles = (part: SvgElement): SvgElement => ({
    ...part,
    children: part.children.map((child) => {
      if (typeof child === 'string') return child;
      const name = child.attributes['data-row'];
      const row = name === undefined ? undefined : byName.get(name);
      if (row) {
        const die = hasDie(row) ? [dieElement(row, width)] : [];
        const hint = row.kind === 'button' && takesFile ? [svgText('title', {}, givenWords())] : [];
        const attributes = { ...child.attributes, ...roleOf(row) };
        return { ...child, attributes, children: [...hint, ...child.children, ...die] };
      }
      return child.attributes['class'] === 'parts' ? withRoles(child) : child;
    }),
  });
  return withRoles(whole);
}

/** Roles that are named by their label alone: what is drawn may be cut. */
function roleOf(row: DrawnRow): Readonly<Record<string, string>> {
  const text = plainText(row.text);
  const all = {
    tabindex: '-1',
    'aria-label': plainText(row.label),
    ...(row.isLinked ? { 'aria-disabled': 'true' } : {}),
  };
  if (row.kind === 'toggle') return { ...all, role: 'switch', 'aria-checked': String(row.isOn === true) };
  if (isStepped(row)) {
    const isNumber = text !== '' && Number.isFinite(Number(text));
    const now = isNumber ? { 'aria-valuenow': text } : {};
    return { ...all, role: 'spinbutton', 'aria-valuetext': text, ...now };
  }
  if (row.kind === 'button' || row.kind === 'notice' || row.kind === 'box') return { ...all, role: 'button' };
  return {
    ...all,
    role: 'textbox',
    'aria-readonly': String(row.isLinked),
    'aria-multiline': String(row.kind !== 'text'),
  };
}
