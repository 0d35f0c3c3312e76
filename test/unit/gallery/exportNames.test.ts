import { expect, it } from 'vitest';
import { ExportNames } from '../../../src/core/gallery/exportNames';

it('keeps names, and numbers those that are taken', () => {
  const names = new ExportNames(['A.png', 'b (2).png', 'run.run.json']);
  expect(
    ['a.png', 'a.png', 'b.png', 'b.png', 'c', 'c', 'run.run.json'].map((name) => names.take(name)),
  ).toEqual(['a (2).png', 'a (3).png', 'b.png', 'b (3).png', 'c', 'c (2)', 'run (2).run.json']);
});
