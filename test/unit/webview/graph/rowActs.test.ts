import { describe, expect, it } from 'vitest';
import type { DrawnNode, DrawnRow } from '../../../../src/core/drawing/drawnNode';
import { palettes } from '../../../../src/core/drawing/canvasPalette';
import { textWidth } from '../../../../src/core/drawing/interWidths';
import { nodeElement } from '../../../../src/core/drawing/nodeSvg';
import { svgText, type SvgElement, written } from '../../../../src/core/drawing/markSvg';
import {
  menuContext,
  modeAct,
  rowAct,
  shownRows,
  stepAt,
  withRowRoles,
} from '../../../../src/webview/graph/rowActs';

const row: DrawnRow = {
  ...{ name: 'steps', label: 'steps', kind: 'number', text: '20' },
  ...{ isHidden: false, y: 10, height: 24, isLinked: false },
};

function nodeWith(rows: readonly DrawnRow[]): DrawnNode {
  return {
    ...{
      id: '1',
      type: 'A',
      mode: 'always',
      isInstance: false,
      title: 'A',
      isCollapsed: false,
      hasTitle: true,
    },
    ...{ x: 0, y: 0, width: 300, height: 200, inputs: [], outputs: [], rows },
    ...{ color: undefined, bgcolor: undefined, shape: 'round', isMissing: false, badges: [] },
  };
}

/** The roles of rows as they are drawn, by name. */
function rolesOf(...rows: readonly DrawnRow[]): Record<string, SvgElement['attributes']> {
  const drawn = rows.map(({ name }) => svgText('g', { 'data-row': name }));
  const [parts] = withRowRoles(
    svgText('g', {}, svgText('g', { class: 'parts' }, ...drawn)),
    nodeWith(rows),
  ).children;
  if (typeof parts !== 'object') throw new Error('The rows are gone.');
  const elements = parts.children.filter((each) => typeof each === 'object');
  return Object.fromEntries(elements.map(({ attributes }) => [attributes['data-row'] ?? '', attributes]));
}

describe('a row of a seed', () => {
  it('has a die, unless a link gives the value', () => {
    const diesIn = (change: Partial<DrawnRow>): number => {
      const drawn = svgText('g', {}, svgText('g', { 'data-row': 'steps' }));
      const [seed] = withRowRoles(drawn, nodeWith([{ ...row, ...change }])).children;
      return typeof seed === 'object' ? seed.children.length : 0;
    };
    expect(diesIn({ isSeed: true })).toBe(1);
    expect(diesIn({ isSeed: true, isLinked: true })).toBe(0);
    expect(diesIn({})).toBe(0);
  });

  it('leaves room between its value, which is shortened for that, and the die', () => {
    const long = '9007199254740994'.repeat(3);
    const seed: DrawnRow = { ...row, isSeed: true, label: '', text: long };
    const node = nodeWith([seed]);
    const drawn = written(withRowRoles(nodeElement(node, palettes.dark), node));
    const [, end, value = ''] = /<text x="(\d+)"[^>]*text-anchor="end"[^>]*>(\d+…)</.exec(drawn) ?? [];
    const die = Number(/class="die" transform="translate\(([\d.]+) /.exec(drawn)?.[1]) - 0.5;
    expect(die - Number(end)).toBeCloseTo(5);
    expect(Number(end) - textWidth(value, 12)).toBeGreaterThan(34);
    expect(long.startsWith(value.slice(0, -1))).toBe(true);
  });
});

describe('a click on a row', () => {
  it('steps at the arrows, and the switch at its knob', () => {
    const node = nodeWith([row]);
    expect([20, 41, 150, 259, 261].map((x) => stepAt(row, x, node))).toEqual([
      -1,
      undefined,
      undefined,
      undefined,
      1,
    ]);
    const toggle: DrawnRow = { ...row, kind: 'toggle' };
    expect([20, 150, 270].map((x) => stepAt(toggle, x, node))).toEqual([undefined, undefined, 1]);
  });

  it('steps nothing where a link gives the value, or in a text', () => {
    const node = nodeWith([row]);
    for (const other of [{ ...row, isLinked: true }, { ...row, kind: 'text' } as const]) {
      expect([20, 270].map((x) => stepAt(other, x, node))).toEqual([undefined, undefined]);
    }
  });
});

describe('a key in a row', () => {
  it('moves, steps, edits and leaves', () => {
    expect(rowAct('ArrowDown', row)).toEqual({ kind: 'move', by: 1 });
    expect(rowAct('ArrowLeft', row)).toEqual({ kind: 'step', by: -1 });
    expect(rowAct('ArrowRight', row)).toEqual({ kind: 'step', by: 1 });
    expect(rowAct('ArrowUp', row)).toEqual({ kind: 'move', by: -1 });
    expect(rowAct('F2', row)).toEqual({ kind: 'edit' });
    expect(rowAct('Enter', { ...row, kind: 'toggle' })).toEqual({ kind: 'step', by: 1 });
    expect(rowAct('ArrowLeft', { ...row, kind: 'text' })).toEqual({ kind: 'move', by: 0 });
    expect(rowAct('Escape', row)).toEqual({ kind: 'leave' });
    expect(rowAct('0', row)).toBeUndefined();
  });

  it('finds only rows that are drawn', () => {
    const hidden = { ...row, name: 'hidden', isHidden: true };
    const linked: DrawnRow = { ...row, name: 'linked', kind: 'textBox', isLinked: true };
    expect(shownRows(nodeWith([hidden, row, linked]))).toEqual([row]);
    expect(shownRows({ ...nodeWith([row]), isCollapsed: true })).toEqual([]);
  });
});

describe('the menu', () => {
  const facts = { hasModes: true, hasProblems: false };

  it('of a row offers what can be done with it, and with its node', () => {
    const seed: DrawnRow = { ...row, isSeed: true, canReset: true };
    expect(menuContext(nodeWith([seed]), seed, facts)).toMatchObject({
      ...{ webviewSection: 'graphRow', node: '1', row: 'steps', graphMode: 'always' },
      ...{ graphEdits: true, graphResets: true, graphSeed: true, graphProblem: false },
    });
    const linked: DrawnRow = { ...seed, isLinked: true };
    expect(menuContext(nodeWith([linked]), linked, facts)).toMatchObject({
      ...{ graphEdits: false, graphResets: false, graphSeed: false },
    });
  });

  it('of a node in a prompt offers no modes', () => {
    const context = menuContext(nodeWith([row]), undefined, { hasModes: false, hasProblems: true });
    expect(context).toMatchObject({ webviewSection: 'graphNode', graphMode: '', graphProblem: true });
  });

  it('has the keys of the ComfyUI editor', () => {
    const node = nodeWith([row]);
    expect([modeAct('m', node), modeAct('b', node), modeAct('v', node)]).toEqual([
      'mute',
      'bypass',
      undefined,
    ]);
    expect(modeAct('m', { ...node, mode: 'muted' })).toBe('unmute');
    expect(modeAct('b', { ...node, mode: 'bypassed' })).toBe('removeBypass');
  });
});

describe('what a screen reader says of a row', () => {
  it('is its kind, label and value', () => {
    const roles = rolesOf(
      row,
      { ...row, name: 'mode', label: 'mode', kind: 'combo', text: 'fast' },
      { ...row, name: 'loop', label: 'loop', kind: 'toggle', text: 'yes', isOn: true },
      { ...row, name: 'text', label: 'text', kind: 'textBox', text: 'a lion' },
    );
    expect(roles['steps']).toMatchObject({
      role: 'spinbutton',
      'aria-label': 'steps',
      'aria-valuenow': '20',
    });
    expect(roles['mode']).toMatchObject({ role: 'spinbutton', 'aria-valuetext': 'fast' });
    expect(roles['mode']).not.toHaveProperty('aria-valuenow');
    expect(roles['loop']).toMatchObject({ role: 'switch', 'aria-checked': 'true' });
    expect(roles['text']).toMatchObject({ role: 'textbox', 'aria-readonly': 'false', 'aria-label': 'text' });
  });

  it('has no invisible characters of a file', () => {
    const roles = rolesOf({ ...row, label: 'st\u202Eeps', isLinked: true, text: '' });
    expect(roles['steps']).toMatchObject({ 'aria-label': 'steps', 'aria-disabled': 'true' });
  });
});
