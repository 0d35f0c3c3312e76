// `npm run check:l10n`: every text of ours is in l10n/ and package.nls.json, in each language.
// `npm run l10n` writes the English list anew, from the sources.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bypassedTexts } from './bypassedTexts';
import { keysIn, type Texts, textsIn, translationProblems } from './localization';

const folders = ['src/core', 'src/host', 'src/webview', 'src/cli'];
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);
const english = Object.fromEntries(textsIn(sources).map((text) => [text, text]));
const englishFile = 'l10n/bundle.l10n.json';
if (process.argv.includes('--write')) writeFileSync(englishFile, `${JSON.stringify(english, null, 2)}\n`);

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts;
const ofManifest = Object.fromEntries(keysIn(readFileSync('package.json', 'utf8')).map((key) => [key, key]));
const withoutValues = (texts: Texts): Texts =>
  Object.fromEntries(Object.keys(texts).map((key) => [key, key]));

/** Where every text of ours has its tag. */
const tagged = [
  'src/webview',
  ...['catalogs', 'jobs', 'language', 'platform', 'preview', 'registry', 'runs', 'servers'].map(
    (name) => `src/host/${name}`,
  ),
  ...['language', 'workflow', 'json', 'catalog', 'registry', 'client/nodeManager'].map(
    (name) => `src/core/${name}`,
  ),
];
const namesOfOthers: Readonly<Record<string, RegExp>> = {
  // What the setting holds.
  'src/host/servers/knownServers.ts': /^Local ComfyUI$/,
  // Widgets, node types and properties, as workflow files have them.
  'src/core/workflow/graph/extraWidgets.ts': /^(waiting for camera|Auto-refresh after generation)/,
  'src/core/workflow/graph/liveGraph.ts': /^(ByteDance|Ideogram|Topaz) /,
  'src/core/workflow/graph/primitives.ts': /^Run widget replace on values$/,
  'src/core/workflow/graph/sentValues.ts': /^Node name for S&R$/,
  'src/core/workflow/graph/virtualNodes.ts': /\(rgthree\)$|^(Anything|Prompts|Seed) Everywhere/,
  // What a run record says, for whoever reads it.
  'src/host/jobs/outputSaver.ts': /^Saving was cancelled/,
  // Endpoints.
  'src/core/client/nodeManager/installPack.ts': /^POST /,
  // A mistake of ours.
  'src/core/json/textEdit.ts': /^The edit at offset/,
};
const bypassed = bypassedTexts(
  sources.filter(({ file }) => tagged.some((folder) => file.startsWith(`${folder}/`))),
  namesOfOthers,
);

const problems = [
  ...bypassed.map((place) => `${place} (has no tag t or shown)`),
  ...translationProblems(englishFile, english, read(englishFile)),
  ...translationProblems('l10n/bundle.l10n.zh-cn.json', english, read('l10n/bundle.l10n.zh-cn.json')),
  ...translationProblems('package.nls.json', ofManifest, withoutValues(read('package.nls.json'))),
  ...translationProblems('package.nls.zh-cn.json', read('package.nls.json'), read('package.nls.zh-cn.json')),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(english).length} texts, all translated.`);
