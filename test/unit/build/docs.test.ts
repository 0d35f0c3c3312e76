import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const documents = ['docs/security.md', 'docs/faults.md'];

interface Row {
  cells: readonly string[];
  line: number;
}

describe('the tables of promises and faults', () => {
  test.each(documents)('%s names only tests that exist', (path) => {
    const missing = rowsOf(path).flatMap(({ cells, line }) =>
      namedTests(cells[2] ?? '')
        .filter((each) => !exists(each))
        .map((each) => ({ line, ...each })),
    );
    expect(missing).toEqual([]);
  });

  test.each(documents)('%s names a test, a script or a reason in every row', (path) => {
    const bare = rowsOf(path).filter(
      ({ cells }) => namedTests(cells[2] ?? '').length === 0 && !/`npm run |^no test: /.test(cells[2] ?? ''),
    );
    expect(bare).toEqual([]);
  });

  test.each(documents)('%s has one header per section and says nothing twice', (path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    const sections = lines.filter((line) => line.startsWith('## ')).length;
    expect(lines.filter((line) => /^\| -+ +\|/.test(line))).toHaveLength(sections);
    const firsts = rowsOf(path).map(({ cells }) => cells[0]);
    expect(firsts.filter((first, index) => firsts.indexOf(first) !== index)).toEqual([]);
  });
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
