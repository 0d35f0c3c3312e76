// `npm run check:imports`: no import cycle, not even through a type, and no two files with the same name.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importProblems } from './importProblems';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('src', ...name.split(path.sep)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const problems = importProblems(files);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('No import circles, no shared file names.');
