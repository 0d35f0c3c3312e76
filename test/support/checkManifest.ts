// `npm run check:manifest`: the names in package.json and those in the code are the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as tables from '../../src/host/platform/contributions';
import type { Texts } from './localization';
import { manifestProblems, type Manifest } from './manifestProblems';
import { withTexts } from './manifestTexts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('src', ...name.split(path.sep)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const manifest = readFileSync('package.json', 'utf8');

// Texts contain links to commands, so the texts of each language are checked.
const problems = ['package.nls.json', 'package.nls.zh-cn.json'].flatMap((name) => {
  const texts = JSON.parse(readFileSync(name, 'utf8')) as Texts;
  return manifestProblems(withTexts(manifest, texts) as Manifest, tables, sources, existsSync);
});
for (const problem of new Set(problems)) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('Manifest and code agree.');
