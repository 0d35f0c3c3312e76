import { describe, expect, test } from 'vitest';
import { importProblems } from '../../support/importProblems';
import { nameProblems } from '../../support/nameProblems';

describe('import problems', () => {
  test('a cycle closed by a type import', () => {
    const files = [
      { file: 'src/a.ts', text: "import { b } from './b';" },
      { file: 'src/b.ts', text: "import { c } from './deep/c';" },
      { file: 'src/deep/c.ts', text: "import type { A } from '../a';" },
    ];
    expect(importProblems(files)).toEqual([
      'Import circle: src/a.ts -> src/b.ts -> src/deep/c.ts -> src/a.ts',
    ]);
  });

  test('a cycle closed by a lazy import', () => {
    const files = [
      { file: 'src/a.ts', text: "import { b } from './b';" },
      { file: 'src/b.ts', text: "export const later = () => import('./a');" },
    ];
    expect(importProblems(files)).toHaveLength(1);
  });

  test('two files with the same name, except entry points', () => {
    const files = ['src/x/tree.ts', 'src/y/tree.ts', 'src/x/main.ts', 'src/y/main.ts'].map((file) => ({
      file,
      text: '',
    }));
    expect(importProblems(files)).toEqual(['tree.ts is the name of src/x/tree.ts and src/y/tree.ts']);
  });

  test('none when two files import a third', () => {
    const files = [
      { file: 'src/a.ts', text: "import { c } from './c'; import { b } from './b';" },
      { file: 'src/b.ts', text: "import type { C } from './c';" },
      { file: 'src/c.ts', text: "import path from 'node:path';" },
    ];
    expect(importProblems(files)).toEqual([]);
  });
});

test('exported names that stand twice or say nothing', () => {
  const files = [
    {
      file: 'src/a.ts',
      text: 'export function place() {}\nexport const keyOf = () => 1;\nfunction row() {}',
    },
    { file: 'src/b.ts', text: 'export interface place {}\nexport type row = 1;\nexport const size = 2;' },
    { file: 'src/c.ts', text: 'export const size = 2;\nexport function activate() {}' },
    { file: 'src/d.ts', text: 'export function activate() {}' },
  ];
  expect(nameProblems(files)).toEqual([
    'place is exported by src/a.ts and src/b.ts',
    'keyOf says nothing: src/a.ts',
  ]);
});
