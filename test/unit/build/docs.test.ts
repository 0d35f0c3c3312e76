import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const contract = 'docs/contract.md';
const documents = ['docs/security.md', 'docs/faults.md', contract];
const architecture = 'docs/architecture.md';

interface Row {
  cells: readonly string[];
  line: number;
}

describe('the tables of promises and faults', () => {
  test.each([...documents, architecture])('%s names only tests that exist', (path) => {
    const missing = rowsOf(path).flatMap(({ cells, line }) =>
      namedTests(cells[2] ?? '')
        .filter((each) => !exists(each))
        .map((each) => ({ line, ...each })),
    );
    expect(missing).toEqual([]);
  });

  test.each([...documents, architecture])('%s names a test, a script or a reason in every row', (path) => {
    const bare = rowsOf(path).filter(
      ({ cells }) => namedTests(cells[2] ?? '').length === 0 && !/`npm run |^no test: /.test(cells[2] ?? ''),
    );
    expect(bare).toEqual([]);
  });

  test.each(documents)('%s has one header per section and no duplicate rows', (path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    const sections = lines.filter((line) => line.startsWith('## ')).length;
    expect(lines.filter((line) => /^\| -+ +\|/.test(line))).toHaveLength(sections);
    const firsts = rowsOf(path).map(({ cells }) => cells[0]);
    expect(firsts.filter((first, index) => firsts.indexOf(first) !== index)).toEqual([]);
  });
});

test('every statement of the documented interfaces has its place in the code', () => {
  const rows = rowsOf(contract);
  expect(rows).toHaveLength(248);
  const links = rows.flatMap(({ cells, line }) =>
    [...cells.join(' ').matchAll(/\[`([^`]+)`\]\(\.\.\/([^)]+)\)/g)].map(([, name, target]) => ({
      line,
      name,
      target,
    })),
  );
  expect(links.filter(({ name, target }) => name !== target || !existsSync(name ?? ''))).toEqual([]);
  const homeless = rows.filter(
    ({ cells }) => !/`src\//.test(cells[1] ?? '') && !/^no test: /.test(cells[2] ?? ''),
  );
  expect(homeless).toEqual([]);
});

test('the unit tests that the documented interfaces name load the code that they are said to hold', () => {
  const apart = rowsOf(contract).flatMap(({ cells, line }) => {
    const code = /`(src\/[^`]+\.ts)`/.exec(cells[1] ?? '')?.[1];
    const tests = namedTests(cells[2] ?? '').filter(({ file }) => file.startsWith('test/unit/'));
    if (code === undefined || tests.length === 0) return [];
    return tests.some(({ file }) => loadedBy(file).has(code)) ? [] : [{ line, code }];
  });
  expect(apart).toEqual([]);
});

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

/** The rows below a header; each must have three cells. */
function rowsOf(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const isRow = text.startsWith('|') && !/^\| -+/.test(text) && !/^\| -+/.test(lines[index + 1] ?? '');
    if (!isRow) return [];
    const cells = text
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    expect(cells, `${path}:${index + 1}`).toHaveLength(3);
    return [{ cells, line: index + 1 }];
  });
}

/** The files that a file loads, directly or not; what it imports as types alone does not count. */
function loadedBy(file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const each of found) for (const next of importsOf(each)) found.add(next);
  return found;
}

const imports = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const known = imports.get(file);
  if (known) return known;
  const values = /(?:^(?:import|export) (?!type )[^;]*?from |\bimport\()'(\.[^']+)'/gm;
  const targets = [...readFileSync(file, 'utf8').matchAll(values)].map(([, target = '']) => target);
  const files = targets
    .map((target) => `${path.posix.join(path.posix.dirname(file), target)}.ts`)
    .filter((each) => existsSync(each));
  imports.set(file, files);
  return files;
}

/** `test/….ts`, "title", "title": each title belongs to the file before it. */
function namedTests(cell: string): { file: string; title: string | undefined }[] {
  return cell.split(/(?=`test\/)/).flatMap((part) => {
    const file = /^`(test\/[^`]+\.ts)`/.exec(part)?.[1];
    if (file === undefined) return [];
    const titles = [...part.matchAll(/"([^"]+)"/g)].map(([, title]) => title);
    return titles.length === 0 ? [{ file, title: undefined }] : titles.map((title) => ({ file, title }));
  });
}

function exists({ file, title }: { file: string; title: string | undefined }): boolean {
  if (!existsSync(file)) return false;
  return title === undefined || readFileSync(file, 'utf8').replaceAll('\\', '').includes(title);
}
