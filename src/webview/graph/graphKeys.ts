import { entryAt } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import { element } from '../ui/element';
import type { GraphCanvas } from './canvas';
import type { PointerEvents } from './pointer';
import { Popover } from './popover';
import { modeAct, rowAct, rowNamed, shownRows } from './rowActs';
import { type WalkDirection, nextNode } from './walk';

export interface KeyEvents extends Omit<PointerEvents, 'chosen'> {
  readonly hasModes: () => boolean;
  readonly left: () => boolean;
  /** Goes to the next difference (1) or the one before (-1). Returns whether there is one. */
  readonly passed: (by: 1 | -1) => boolean;
  readonly startedFind: () => void;
  readonly askedKeys: () => void;
}

export const zoomStep = 1.25;
const panStep = 80;

const ways: Readonly<Record<string, readonly [way: WalkDirection, x: number, y: number]>> = {
  ArrowLeft: ['left', panStep, 0],
  ArrowRight: ['right', -panStep, 0],
  ArrowUp: ['up', 0, panStep],
  ArrowDown: ['down', 0, -panStep],
};

/** Does by key what the pointer does, and more. */
export function listenToKeys(canvas: GraphCanvas, events: KeyEvents): void {
  canvas.root.addEventListener('keydown', (event) => {
    if (press(canvas, event, events)) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    // In a field, these keys undo what was typed there.
    if (isTyped && isCommand(event, 'z', 'y')) event.stopPropagation();
    const key = isCommand(event, 'f') ? '/' : isTyped ? '' : event.key;
    if (key !== '/' && key !== '?') return;
    event.preventDefault();
    if (key === '/') events.startedFind();
    else events.askedKeys();
  });
}

function isCommand({ ctrlKey, metaKey, key }: KeyboardEvent, ...keys: readonly string[]): boolean {
  return (ctrlKey || metaKey) && keys.includes(key.toLowerCase());
}

function press(canvas: GraphCanvas, event: KeyboardEvent, events: KeyEvents): boolean {
  const { selected, drawing } = canvas;
  const node = entryAt(canvas.nodes, selected);
  if (event.key === '.' && selected !== undefined) {
    events.asked(selected);
    return true;
  }
  if (event.ctrlKey || event.metaKey) return changeMode(canvas, event, events);
  const row = event.target instanceof SVGElement ? event.target.dataset['row'] : undefined;
  if (row !== undefined && selected !== undefined && pressInRow(canvas, event.key, row, events)) return true;
  if (event.altKey) return event.key === 'ArrowLeft' && events.left();
  const [direction, x, y] = ways[event.key] ?? [];
  if (direction) {
    const next = selected === undefined ? drawing.nodes[0]?.id : nextNode(drawing, selected, direction);
    if (event.shiftKey) canvas.pan(x ?? 0, y ?? 0);
    else if (next !== undefined) canvas.select(next, true);
    return true;
  }
  switch (event.key) {
    case 'Tab':
      return step(canvas, event.shiftKey ? -1 : 1);
    case 'Escape':
      if (selected === undefined) return false;
      canvas.select(undefined);
      canvas.root.focus();
      return true;
    case 'Enter':
      if (selected !== undefined) events.acted('goToText', selected);
      return true;
    case 'o':
      if (selected !== undefined) events.acted('openImage', selected);
      return true;
    case ' ':
      if (node?.isInstance === true) events.opened(node.id);
      return true;
    case 'F2': {
      const [first] = node ? shownRows(node) : [];
      if (node && first) canvas.focusRow(node.id, first.name);
      return true;
    }
    case 'Backspace':
      return events.left();
    case '+':
    case '=':
      canvas.zoom(zoomStep);
      return true;
    case '-':
      canvas.zoom(1 / zoomStep);
      return true;
    case '0':
      canvas.fit();
      return true;
    case 'n':
      return events.passed(1);
    case 'p':
      return events.passed(-1);
    default:
      return false;
  }
}

function pressInRow(canvas: GraphCanvas, key: string, input: string, events: KeyEvents): boolean {
  const node = entryAt(canvas.nodes, canvas.selected);
  const row = rowNamed(node, input);
  const act = row && rowAct(key, row);
  if (!node || !act) return false;
  const rows = shownRows(node);
  if (act.kind === 'move') canvas.focusRow(node.id, rows[rows.indexOf(row) + act.by]?.name ?? input);
  else if (act.kind === 'step') events.stepped(node.id, input, act.by);
  else if (act.kind === 'edit') events.acted('edit', node.id, input);
  else canvas.select(node.id, true);
  return true;
}

/** Without a selected node, these keys belong to VS Code. */
function changeMode(canvas: GraphCanvas, event: KeyboardEvent, { hasModes, acted }: KeyEvents): boolean {
  const node = entryAt(canvas.nodes, canvas.selected);
  const isPlain = !event.shiftKey && !event.altKey;
  const act = node && hasModes() && isPlain ? modeAct(event.key.toLowerCase(), node) : undefined;
  if (!node || !act) return false;
  acted(act, node.id);
  event.stopPropagation();
  return true;
}

/** The node before or after in the file. From the last one, or if none is selected, the focus leaves the drawing. */
function step(canvas: GraphCanvas, by: 1 | -1): boolean {
  const { nodes } = canvas.drawing;
  const index = nodes.findIndex(({ id }) => id === canvas.selected);
  const isInside = document.activeElement !== canvas.root;
  const next = index < 0 ? undefined : nodes[isInside ? index + by : index];
  if (!next || (!isInside && by === -1)) return false;
  canvas.select(next.id, true);
  return true;
}

/** The keys of the page, in a box. */
export class KeyBox extends Popover {
  /** @param isComparison of two versions, which can't be changed */
  open(isComparison: boolean): void {
    const all = [...lookKeys(), ...(isComparison ? differenceKeys() : editKeys())];
    const rows = all.flatMap(([keys, words]) => [
      element('dt', {}, ...keys.map((key) => element('kbd', {}, key))),
      element('dd', {}, words),
    ]);
    const title = t`Keyboard Shortcuts`;
    const list = element('dl', { class: 'keys' }, ...rows);
    this.show(title, new DOMRect(innerWidth, 40), element('h2', {}, title), list);
  }
}

type Keys = readonly [keys: readonly string[], words: string];

const lookKeys = (): readonly Keys[] => [
  [['/', 'Ctrl+F'], t`Find in all subgraphs`],
  [['←', '→', '↑', '↓'], t`Next node along the links, or above and below`],
  [['Tab', 'Shift+Tab'], t`Next or previous node in the file`],
  [['Shift+←→↑↓'], t`Scroll`],
  [['+', '-', '0'], t`Zoom in, zoom out, fit`],
  [[t`Double-click`], t`Zoom to the node, edit the value, or open the subgraph`],
  [['Space', 'Backspace'], t`Open the subgraph, go back`],
  [['Enter'], t`Go to the node or value in the text`],
];

const editKeys = (): readonly Keys[] => [
  [['F2'], t`Go to the values of the node, edit the value`],
  [['Esc'], t`Leave the value or the node`],
  [['.'], t`Quick fixes`],
  [['O'], t`Open the image`],
  [['Ctrl+M', 'Ctrl+B'], t`Mute, bypass`],
  [['Ctrl+Alt+Enter'], t`Run`],
  [['Ctrl+Z', 'Ctrl+Shift+Z', 'Ctrl+S'], t`Undo, redo, save`],
];

const differenceKeys = (): readonly Keys[] => [[['N', 'P'], t`Next or previous change`]];
