import { describe, expect, it } from 'vitest';
import { keptExtension, keptStem, placesOf, stemOfKept } from '../../../src/core/comparison/keptName';
import { isSafeSegment } from '../../../src/core/outputs/safeName';

const hostile = [
  '9',
  '3:12',
  '3.12',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  '',
  'con',
  'a-text',
  'é',
  '🙂',
  '~',
  '.',
];

describe('the names of kept outputs', () => {
  it('number the outputs of each node, in order', () => {
    expect(placesOf(['9', '7', '9'], false).map(keptStem)).toEqual(['9-1', '7-1', '9-2']);
    expect(placesOf(['9'], true).map(keptStem)).toEqual(['9-text-1']);
    expect(placesOf(['3:12'], false).map(keptStem)).toEqual(['3.12-1']);
  });

  it('are safe and distinct for any node ID', () => {
    const long = ['x'.repeat(500), `${'x'.repeat(500)}y`];
    const stems = [...hostile, ...long].flatMap((nodeId) => [
      keptStem({ nodeId, order: 1, isText: false }),
      keptStem({ nodeId, order: 1, isText: true }),
      keptStem({ nodeId, order: 11, isText: false }),
    ]);
    expect(new Set(stems).size).toBe(stems.length);
    for (const stem of stems) expect(isSafeSegment(`${stem}.png`), stem).toBe(true);
  });

  it('are recognized, and no others', () => {
    for (const nodeId of hostile.filter((each) => each !== '')) {
      const stem = keptStem({ nodeId, order: 12, isText: false });
      expect(stemOfKept(`${stem}.png`, [nodeId])).toBe(stem);
    }
    for (const name of ['README.md', '.DS_Store', '9.png', '9-0.png', '9-1', 'my file-1.png', '9-1.PNG'])
      expect(stemOfKept(name, ['9']), name).toBeUndefined();
  });

  it('are those of nodes of the prompt, and numbers', () => {
    for (const name of ['9-1.png', '9-text-1.txt', '3.12-1.png', 'loader-2.png', 'loader-text-2.txt'])
      expect(stemOfKept(name, ['loader']), name).toBeDefined();
    for (const name of [
      'README-1.md',
      'TODO-2024.txt',
      'holiday-1.jpg',
      '1.a-1.png',
      '.9-1.png',
      'text-1.txt',
    ])
      expect(stemOfKept(name, ['loader']), name).toBeUndefined();
  });

  it('keep plain extensions', () => {
    expect(keptExtension('A.PNG')).toBe('.png');
    expect(keptExtension('a.html.txt')).toBe('.txt');
    expect(keptExtension('a')).toBe('.bin');
    expect(keptExtension('a.p/n')).toBe('.bin');
  });
});
