// `npm run check:l10n`: every text that the editor can show is in l10n/ and package.nls.json, in each language.
// `npm run l10n` rewrites the English list from the sources. What only the command line says is English.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
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
/** The files in the bundles of the extension and its panels. */
const { metafile } = await build({
  entryPoints: [
    'src/extension.ts',
    ...sources.map(({ file }) => file).filter((file) => /webview.*\/main\.ts$/.test(file)),
  ],
  bundle: true,
  packages: 'external',
  external: ['vscode', '*.m4a', '*.flac', '*.mp4', '*.webp', '*.css'],
  outdir: 'out',
  write: false,
  metafile: true,
  logLevel: 'error',
});
const inEditor = sources.filter(({ file }) => file in metafile.inputs);
const english: Texts = Object.fromEntries(textsIn(inEditor).map((text) => [text, text]));
if (process.argv.includes('--write'))
  writeFileSync('l10n/bundle.l10n.json', `${JSON.stringify(english, null, 2)}\n`);

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts;
const ofManifest = Object.fromEntries(keysIn(readFileSync('package.json', 'utf8')).map((key) => [key, key]));
const withoutValues = (texts: Texts): Texts =>
  Object.fromEntries(Object.keys(texts).map((key) => [key, key]));

const problems = [
  ...untaggedTexts(sources).map((place) => `${place} (has no tag t or shown)`),
  ...textsOnLoad(inEditor).map((place) => `${place} (is translated on load)`),
  ...['l10n/bundle.l10n.json', 'l10n/bundle.l10n.zh-cn.json'].flatMap((file) =>
    translationProblems(file, english, read(file)),
  ),
  ...translationProblems('package.nls.json', ofManifest, withoutValues(read('package.nls.json'))),
  ...translationProblems('package.nls.zh-cn.json', read('package.nls.json'), read('package.nls.zh-cn.json')),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(english).length} texts, all translated.`);
