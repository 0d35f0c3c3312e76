// `npm run check:citations`: every cited section exists, and every promise of the documents has its proof.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { citationProblems } from './citationProblems';
import { promiseProblems, proofsApart, type Proofs, type ReadFile } from './promiseProblems';

const files = ['src', 'test', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.(?:ts|mjs|cjs|css|md)$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);
const documents = Object.fromEntries(
  ['protocol', 'workflows', 'contract'].map((name) => [name, readFileSync(`docs/${name}.md`, 'utf8')]),
);

const known = new Map<string, string | undefined>();
const read: ReadFile = (file) => {
  if (!known.has(file)) known.set(file, existsSync(file) ? textIn(file) : undefined);
  return known.get(file);
};

function textIn(file: string): string {
  return statSync(file).isDirectory() ? '' : readFileSync(file, 'utf8');
}

const promises = ['security', 'faults', 'contract', 'architecture'].flatMap((name) => {
  const document = `docs/${name}.md`;
  const proofs = JSON.parse(readFileSync(`test/promises/${name}.json`, 'utf8')) as Proofs;
  const problems = promiseProblems(document, readFileSync(document, 'utf8'), proofs, read, {
    isWhole: name !== 'architecture',
  });
  const apart = proofsApart(proofs, read);
  return [...problems, ...apart.map((each) => `${document}: no test of “${each}” loads its code.`)];
});

const problems = [...citationProblems(files, documents), ...promises];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every citation resolves, and every promise has its proof.');
