// `npm run check:l10n`: every text of ours is in l10n/ and package.nls.json, in each language. `npm run l10n`
// rewrites the English lists from the sources. What only the command line says does not ship with the extension.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keysIn, type Texts, textsIn, translationProblems } from './localization';
import { textsOnLoad } from './textsOnLoad';
import { untaggedTexts } from './untaggedTexts';

const folders = ['src/core', 'src/host', 'src/webview', 'src/cli', 'src/sandbox'];
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);
const shipped = new Set(textsIn(sources.filter(({ file }) => !file.startsWith('src/cli/'))));
const all = textsIn(sources);
const listOf = (texts: readonly string[]): Texts => Object.fromEntries(texts.map((text) => [text, text]));
const lists = {
  'l10n/bundle.l10n': listOf(all.filter((text) => shipped.has(text))),
  'l10n/cli.l10n': listOf(all.filter((text) => !shipped.has(text))),
};
if (process.argv.includes('--write')) {
  for (const [name, english] of Object.entries(lists)) {
    writeFileSync(`${name}.json`, `${JSON.stringify(english, null, 2)}\n`);
  }
}

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts;
const ofManifest = Object.fromEntries(keysIn(readFileSync('package.json', 'utf8')).map((key) => [key, key]));
const withoutValues = (texts: Texts): Texts =>
  Object.fromEntries(Object.keys(texts).map((key) => [key, key]));

const problems = [
  ...untaggedTexts(sources).map((place) => `${place} (has no tag t or shown)`),
  ...textsOnLoad(sources).map((place) => `${place} (is translated on load)`),
  ...Object.entries(lists).flatMap(([name, english]) =>
    [`${name}.json`, `${name}.zh-cn.json`].flatMap((file) => translationProblems(file, english, read(file))),
  ),
  ...translationProblems('package.nls.json', ofManifest, withoutValues(read('package.nls.json'))),
  ...translationProblems('package.nls.zh-cn.json', read('package.nls.json'), read('package.nls.zh-cn.json')),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${all.length} texts, all translated.`);
