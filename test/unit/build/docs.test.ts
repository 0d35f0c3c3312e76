import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const architecture = 'docs/architecture.md';

test('the architecture names only folders, files, types and functions that exist', () => {
  const names = [...readFileSync(architecture, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const paths = names.filter((name) => /^[\w.-]+(?:\/[\w.-]+)+$/.test(name));
  expect(paths.filter((each) => !existsSync(each) && !existsSync(path.join('src', each)))).toEqual([]);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const alone = names.filter((name) => /^\w+\.ts$/.test(name));
  expect(alone.filter((name) => !sources.some((file) => path.basename(file) === name))).toEqual([]);
  const code = sources.map((file) => readFileSync(path.join('src', file), 'utf8')).join('\n');
  const declared = new Set(
    [...code.matchAll(/\b(?:class|const|function|interface|type) (\w+)/g)].map(([, name]) => name),
  );
  const identifiers = names.filter((name) => /^[A-Za-z]*[a-z][A-Z][A-Za-z]*$|^[A-Z][a-z]+$/.test(name));
  expect(identifiers.filter((name) => !declared.has(name))).toEqual([]);
  expect(identifiers.length + paths.length).toBeGreaterThan(30);
});

test("each of a newcomer's ten questions is answered by one file", () => {
  const [, after = ''] = readFileSync(architecture, 'utf8').split('## Ten questions\n');
  const [section = ''] = after.split('\n## ');
  const questions = section.split('\n- ').slice(1);
  expect(questions).toHaveLength(10);
  const unanswered = questions.filter((each) => {
    const [, file = ''] = /`([\w/]+\.ts)`/.exec(each) ?? [];
    return !existsSync(path.join('src', file)) || file === '';
  });
  expect(unanswered).toEqual([]);
});
