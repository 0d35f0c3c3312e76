import { describe, expect, it } from 'vitest';
import {
  expectedExtension,
  expectedStem,
  numberOutputs,
  stemOfExpected,
} from '../../../src/core/comparison/expectedName';
import { isSafeSegment } from '../../../src/core/outputs/outputNames';

const hostile = '9 3:12 3.12 ../../etc/passwd a/b a\\b con a-text é 🙂 ~ .'.split(' ').concat('');

const nodes = (...ids: readonly string[]) => ids.map((nodeId) => ({ nodeId }));

describe('the names of expected outputs', () => {
  it('number the outputs of each node, in order', () => {
    expect(numberOutputs(nodes('9', '7', '9'), false).map(expectedStem)).toEqual(['9-1', '7-1', '9-2']);
    expect(numberOutputs(nodes('9'), true).map(expectedStem)).toEqual(['9-text-1']);
    expect(numberOutputs(nodes('3:12'), false).map(expectedStem)).toEqual(['3.12-1']);
  });

  it('are safe and distinct for any node ID', () => {
    const long = ['x'.repeat(500), `${'x'.repeat(500)}y`];
    const stems = [...hostile, ...long].flatMap((nodeId) => [
      expectedStem({ nodeId, order: 1, isText: false }),
      expectedStem({ nodeId, order: 1, isText: true }),
      expectedStem({ nodeId, order: 11, isText: false }),
    ]);
    expect(new Set(stems).size).toBe(stems.length);
    for (const stem of stems) expect(isSafeSegment(`${stem}.png`), stem).toBe(true);
  });

  it('are recognized, and no others', () => {
    for (const nodeId of hostile.filter((each) => each !== '')) {
      const stem = expectedStem({ nodeId, order: 12, isText: false });
      expect(stemOfExpected(`${stem}.png`, [nodeId])).toBe(stem);
    }
    for (const name of ['README.md', '.DS_Store', '9.png', '9-0.png', '9-1', 'my file-1.png', '9-1.PNG'])
      expect(stemOfExpected(name, ['9']), name).toBeUndefined();
  });

  it('are those of nodes of the prompt, and numbers', () => {
    for (const name of ['9-1.png', '9-text-1.txt', '3.12-1.png', 'loader-2.png', 'loader-text-2.txt'])
      expect(stemOfExpected(name, ['loader']), name).toBeDefined();
    for (const name of [
      'README-1.md',
      'TODO-2024.txt',
      'holiday-1.jpg',
      '1.a-1.png',
      '.9-1.png',
      'text-1.txt',
    ])
      expect(stemOfExpected(name, ['loader']), name).toBeUndefined();
  });

  it('keep plain extensions', () => {
    expect(expectedExtension('A.PNG')).toBe('.png');
    expect(expectedExtension('a.html.txt')).toBe('.txt');
    expect(expectedExtension('a')).toBe('.bin');
    expect(expectedExtension('a.p/n')).toBe('.bin');
  });
});
