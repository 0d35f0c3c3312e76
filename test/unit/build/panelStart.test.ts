import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../../..');

/** Top-level code runs before the classes below it exist, and nothing but a blank panel tells so. */
function startsEarly(file: string): boolean {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const { statements } = source;
  const start = statements.findIndex((each) => /^new [A-Z]/.test(each.getText(source)));
  return start >= 0 && statements.slice(start).some(ts.isClassDeclaration);
}

it('a file runs its own code after its classes', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => startsEarly(path.join(root, 'src', file)))).toEqual([]);
});
