import { describe, expect, it } from 'vitest';
import { CanvasHistory, mergedChange } from '../../../src/core/canvas/canvasHistory';
import { applyEdits, textDifference } from '../../../src/core/json/textEdit';
import { budgets } from '../../../src/core/safety/budgets';
import { editsOf, find, loadedState, smallState, type State } from './pageState';

const text = JSON.stringify(smallState(), undefined, 2);

describe('CanvasHistory', () => {
  it('brings the text of a state back, however the page lists its nodes', () => {
    const history = new CanvasHistory();
    const state = loadedState(smallState());
    history.remember(JSON.stringify(state), text);
    const moved = structuredClone(state);
    find(moved, 1).pos = [0, 0];
    expect(history.textOf(JSON.stringify(moved))).toBeUndefined();
    history.remember(JSON.stringify(moved), 'moved');
    state.nodes.reverse();
    state.last_node_id = 9;
    expect(history.textOf(JSON.stringify(state))).toBe(text);
    history.clear();
    expect(history.textOf(JSON.stringify(state))).toBeUndefined();
  });

  it('forgets the oldest', () => {
    const history = new CanvasHistory();
    const state = (number: number): string => JSON.stringify({ ...smallState(), config: { number } });
    for (let number = 0; number <= budgets.canvasStates; number++)
      history.remember(state(number), `${number}`);
    expect(history.textOf(state(0))).toBeUndefined();
    expect(history.textOf(state(1))).toBe('1');
    const long = 'x'.repeat(budgets.canvasHistory / 2);
    for (const number of [1, 2, 3]) history.remember(state(number), long);
    expect(history.textOf(state(1))).toBeUndefined();
    expect(history.textOf(state(3))).toBe(long);
  });
});

describe('textDifference', () => {
  it.each([
    ['abc', 'abc'],
    ['', 'abc'],
    ['abc', ''],
    ['aaaa', 'aa'],
    ['one two', 'one 2 two'],
    ['a 🐈 b', 'a 🐕 b'],
    ['𐌈', '🐈'],
  ])('leads from %j to %j', (old, current) => {
    const edit = textDifference(old, current);
    expect(applyEdits(old, edit ? [edit] : [])).toBe(current);
    // A half of a pair would be one of these.
    expect(edit?.newText ?? 'x').not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
  });
});

describe('a change made against an earlier text', () => {
  const change = editsOf(text, (state) => (find(state, 2).mode = 4));

  it('is moved behind what changed before it', () => {
    const current = text.replace('"sharp"', '"very sharp"');
    const merged = mergedChange(change, text, current);
    expect(merged).toMatchObject({ kind: 'edits' });
    const result = merged.kind === 'edits' ? (JSON.parse(merged.text) as State) : undefined;
    expect(result && find(result, 2).mode).toBe(4);
    expect(result && find(result, 1).widgets_values).toEqual([512, 'very sharp', true]);
  });

  it('stays before what changed after it', () => {
    const current = text.replace('"area"', '"lanczos"');
    expect(mergedChange(change, text, current)).toMatchObject({ kind: 'edits', edits: change.edits });
  });

  it('is refused if the place changed', () => {
    const mode = text.indexOf('"mode": 0', text.indexOf('"id": 2,'));
    const current = applyEdits(text, [{ offset: mode + 8, length: 1, newText: '2' }]);
    expect(mergedChange(change, text, current)).toMatchObject({
      kind: 'refused',
      reason: 'changedMeanwhile',
    });
    expect(mergedChange(change, text, '')).toMatchObject({ kind: 'refused' });
  });

  it('is the same if nothing changed', () => {
    expect(mergedChange(change, text, text)).toBe(change);
  });
});
