// `npm run check:names`: exported functions, classes and types stand once in `src`, by names that can be searched.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nameProblems } from './nameProblems';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('src', ...name.split(path.sep)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const problems = nameProblems(files);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Every exported name stands once.');
