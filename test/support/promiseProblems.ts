import path from 'node:path';

/** What keeps a promise and what proves it: `test/a.test.ts: title`, `test/a.test.ts`, `npm run soak: network`. */
export interface Proof {
  readonly code?: readonly string[];
  readonly tests?: readonly string[];
  readonly noTest?: string;
}

/** Heading of a section -> name of each of its promises -> its proof. */
export type Proofs = Readonly<Record<string, Readonly<Record<string, Proof>>>>;

/** The text of a file of the repository; an empty one for a folder; undefined if there is neither. */
export type ReadFile = (file: string) => string | undefined;

/**
 * Every promise of a document without proof, every proof without promise, and every proof that names a file or a test
 * that does not exist: one sentence each. Of a document that contains more than promises, only the sections of `proofs`
 * count.
 */
export function promiseProblems(
  document: string,
  markdown: string,
  proofs: Proofs,
  read: ReadFile,
  { isWhole = true } = {},
): string[] {
  const promises = promisesIn(markdown);
  const sections = isWhole ? new Set([...promises.keys(), ...Object.keys(proofs)]) : Object.keys(proofs);
  return [...sections].flatMap((section) => {
    const names = promises.get(section) ?? [];
    const proven = proofs[section] ?? {};
    return [
      ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `has “${name}” twice`),
      ...names.filter((name) => proven[name] === undefined).map((name) => `has no proof of “${name}”`),
      ...Object.keys(proven).flatMap((name) => (names.includes(name) ? [] : [`does not promise “${name}”`])),
      ...Object.entries(proven).flatMap(([name, proof]) =>
        proofProblems(proof, read).map((problem) => `“${name}”: ${problem}`),
      ),
    ].map((problem) => `${document}, ${section}: ${problem}.`);
  });
}

/** The list items below each heading, by the bold words or the words before a colon that they begin with. */
function promisesIn(markdown: string): ReadonlyMap<string, readonly string[]> {
  const sections = markdown.split(/^## /m).slice(1);
  const named = sections.map((section): [string, string[]] => {
    const [heading = ''] = section.split('\n', 1);
    const items = section
      .replaceAll(/\n {2}(?=\S)/g, ' ')
      .matchAll(/^- (?:\*\*(.+?)\.?\*\*|(.+?)(?:: |$))/gm);
    return [heading, [...items].map(([, bold, plain]) => bold ?? plain ?? '')];
  });
  return new Map(named.filter(([, items]) => items.length > 0));
}

function proofProblems({ code = [], tests = [], noTest }: Proof, read: ReadFile): string[] {
  if (tests.length === 0 && noTest === undefined) return ['there is neither a test nor a reason'];
  return [
    ...(code.length === 0 && noTest === undefined ? ['it names no code'] : []),
    ...code.filter((file) => read(file) === undefined).map((file) => `there is no ${file}`),
    ...tests.flatMap((test) => testProblems(test, read)),
  ];
}

function testProblems(test: string, read: ReadFile): string[] {
  if (test.startsWith('npm run ')) return [];
  const [, file = test, title = ''] = /^(\S+\.ts)(?:: (.+))?$/.exec(test) ?? [];
  const text = read(file);
  if (text === undefined) return [`there is no ${file}`];
  return text.replaceAll('\\', '').includes(title) ? [] : [`${file} has no test “${title}”`];
}

/**
 * The promises whose unit tests do not even load the code that they are said to prove. Integration tests may start it in
 * another process.
 */
export function proofsApart(proofs: Proofs, read: ReadFile): string[] {
  return Object.values(proofs).flatMap((section) =>
    Object.entries(section).flatMap(([name, { code = [], tests = [] }]) => {
      const files = tests
        .map((test) => test.replace(/: .*/, ''))
        .filter((file) => file.startsWith('test/unit/') && !file.endsWith('.integration.test.ts'));
      if (code.length === 0 || files.length === 0) return [];
      const loaded = files.flatMap((file) => [...loadedFiles(file, read)]);
      const isLoaded = loaded.some((file) =>
        code.some((each) => file === each || file.startsWith(`${each}/`)),
      );
      return isLoaded ? [] : [name];
    }),
  );
}

/** The files that a file loads, directly or not; what it imports as types alone does not count. */
function loadedFiles(file: string, read: ReadFile): ReadonlySet<string> {
  const found = new Set([file]);
  const values = /(?:^(?:import|export) (?!type )[^;]*?from |\bimport\()'(\.[^']+)'/gm;
  for (const each of found)
    for (const [, target = ''] of (read(each) ?? '').matchAll(values))
      found.add(`${path.posix.join(path.posix.dirname(each), target)}.ts`);
  return found;
}
