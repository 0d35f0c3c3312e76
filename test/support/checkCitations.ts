// `npm run check:citations`: every cited section exists in docs/protocol.md or docs/workflows.md.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { citationProblems } from './citationProblems';

const files = ['src', 'test', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.(?:ts|mjs|cjs|css|md)$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);
const documents = Object.fromEntries(
  ['protocol', 'workflows', 'contract'].map((name) => [name, readFileSync(`docs/${name}.md`, 'utf8')]),
);

const problems = citationProblems(files, documents);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every citation resolves.');
