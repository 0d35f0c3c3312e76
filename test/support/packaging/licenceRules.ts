import type { BundledPackage } from './bundledPackages';

/** Licences compatible with MIT in one bundle. Read a new one before you add it here. */
const anywhere = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** The only place for what must stay apart: the LGPL requires files that anyone can replace. */
const placed: Readonly<Record<string, string>> = {
  'LGPL-2.1-or-later': 'dist/webview/decoder/',
  // A font may ship with software under any licence, but stays under its own.
  'OFL-1.1': 'dist/webview/inter-',
};

/** Compiled code in a package that its package.json does not mention. */
export interface EnclosedPart {
  readonly name: string;
  /** SPDX expression. */
  readonly licence: string;
  /** In `licences/`, if the package itself has no text. */
  readonly textFile?: string;
}

export const enclosedParts: Readonly<Record<string, readonly EnclosedPart[]>> = {
  'audio-file-decoder': [
    { name: 'ffmpeg', licence: 'LGPL-2.1-or-later' },
    { name: 'opus', licence: 'BSD-3-Clause', textFile: 'opus.txt' },
    { name: 'emscripten', licence: 'MIT', textFile: 'emscripten.txt' },
  ],
};

/** Why these packages must not ship as they are; empty if they may. */
export function licenceProblems(packages: readonly BundledPackage[]): readonly string[] {
  return packages.flatMap((bundled) => {
    const name = `${bundled.name}@${bundled.version}`;
    const problems: string[] = [];
    const place = placed[bundled.licence];
    if (place !== undefined) {
      const elsewhere = bundled.files.filter((file) => !file.startsWith(place));
      if (elsewhere.length > 0) {
        problems.push(
          `${name}: ${bundled.licence} belongs in files under ${place}, not in ${elsewhere.join(', ')}.`,
        );
      }
    } else if (!anywhere.includes(bundled.licence)) {
      problems.push(`${name}: its licence, "${bundled.licence}", is not on the list in licenceRules.ts.`);
    }
    if (bundled.texts.length === 0) problems.push(`${name}: the package brings no licence text.`);
    return problems;
  });
}
