// `npm run check:manifest`: the names in package.json and those in the code are the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as tables from '../../src/host/platform/contributions';
import { manifestProblems, type Manifest } from './manifestProblems';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('src', ...name.split(path.sep)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

const problems = manifestProblems(manifest, tables, sources, existsSync);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Manifest and code agree.');
