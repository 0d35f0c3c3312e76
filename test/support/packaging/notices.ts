import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BundledPackage } from './bundledPackages';
import { enclosedParts, type EnclosedPart } from './licenceRules';

const rule = '='.repeat(80);

/** The text of THIRD-PARTY-NOTICES: the same bytes for the same packages. */
export function noticesText(product: string, packages: readonly BundledPackage[]): string {
  const head = `${product} contains software of others, under the licences below.\n\n${packages
    .map(({ name, version, licence }) => `- ${name} ${version} (${licence})`)
    .join('\n')}\n`;
  return [head, ...packages.map(sectionOf)].join('\n');
}

function sectionOf(bundled: BundledPackage): string {
  const { name, version, licence, files, texts } = bundled;
  const title = `${rule}\n${name} ${version}\nLicence: ${licence}\nIn: ${placesOf(files).join(', ')}\n${rule}\n`;
  const own = texts.map(({ file, text }) => `\n${file}:\n\n${text}\n`);
  return [title, ...own, ...(enclosedParts[name] ?? []).map(partOf)].join('');
}

function partOf({ name, licence, textFile }: EnclosedPart): string {
  const text = textFile === undefined ? [] : [textIn(textFile)];
  return `\n${[`It contains ${name}, compiled (${licence}).`, ...text].join('\n\n')}\n`;
}

/** Names of chunks mean nothing: they are parts of the extension. */
function placesOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => (file.includes('/chunks/') ? 'dist/chunks' : file)))];
}

function textIn(file: string): string {
  return readFileSync(path.join('licences', file), 'utf8').trim();
}
