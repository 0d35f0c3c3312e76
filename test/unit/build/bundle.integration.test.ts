import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Metafile, neededAtOnce, readMetafile } from '../../support/bundleFiles';
import { bundledPackages } from '../../support/packaging/bundledPackages';
import { licenceProblems } from '../../support/packaging/licenceRules';

const outdir = 'out/bundle';

/** Native accelerators that ws tries to load and works without. */
const optional = ['bufferutil', 'utf-8-validate'];

describe('the bundle that ships', () => {
  let meta: Metafile;

  beforeAll(() => {
    execFileSync(process.execPath, ['esbuild.mjs', '--production', '--outdir', outdir]);
    meta = readMetafile(outdir);
    // Other tests may have the processor.
  }, 60_000);

  it('reads less than 250 KB when the extension is activated', () => {
    expect(statSync(path.join(outdir, 'extension.js')).size).toBeLessThan(250_000);
    const files = neededAtOnce(meta, 'src/extension.ts').map((file) => statSync(file).size);
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  it('reads less than 50 KB of the command line before it knows the command', () => {
    const files = new Set([
      ...neededAtOnce(meta, 'src/cli/main.ts'),
      ...neededAtOnce(meta, 'src/cli/cli.ts'),
    ]);
    const sizes = [...files].map((file) => statSync(file).size);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000);
    const inputs = [...files].flatMap((file) => Object.keys(meta.outputs[file]?.inputs ?? {}));
    expect(inputs.filter((input) => input.startsWith('l10n/'))).toEqual([]);
  });

  it('keeps undici out of the extension host, whose global dispatcher it would replace', () => {
    const everyExtensionFile = Object.entries(meta.outputs).filter(
      ([file]) => !/\/cli(?:\.js|-chunks\/)|webview\//.test(file),
    );
    const inputs = everyExtensionFile.flatMap(([, output]) => Object.keys(output.inputs));
    expect(inputs).toContain('src/extension.ts');
    expect(inputs.filter((input) => input.includes('node_modules/undici/'))).toEqual([]);
  });

  it('keeps zod out of every page, which takes types and constants from the contracts', () => {
    const pages = Object.entries(meta.outputs).filter(([file]) => /webview\/[^/]*\.js$/.test(file));
    const inputs = pages.flatMap(([, output]) => Object.keys(output.inputs));
    expect(inputs).toContain('src/webview/contract/constants.ts');
    expect(inputs.filter((input) => /node_modules\/zod\//.test(input))).toEqual([]);
  });

  it('loads of undici and Node what a command needs, and no HTTP/2', () => {
    const files = Object.entries(meta.outputs).filter(([file]) => /\/cli(?:\.js|-chunks\/)/.test(file));
    const inputs = files.flatMap(([, output]) => Object.keys(output.inputs));
    expect(inputs.some((input) => input.endsWith('undici/lib/web/fetch/index.js'))).toBe(true);
    expect(inputs.filter((input) => input.endsWith('undici/index.js'))).toEqual([]);
    const code = files.map(([file]) => readFileSync(file, 'utf8')).join('');
    expect(code).not.toMatch(/require\("(?:node:)?http2"\)/);
  });

  it('bundles only third-party software that may ship, with its license', () => {
    // The rules contain the folder that ships.
    const shipped = bundledPackages(meta, Object.keys(meta.outputs)).map((bundled) => ({
      ...bundled,
      files: bundled.files.map((file) => file.replace(outdir, 'dist')),
    }));
    expect(shipped.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['audio-file-decoder', 'jsonc-parser', 'undici', 'ws', 'zod']),
    );
    expect(licenceProblems(shipped)).toEqual([]);
  });

  it('requires only modules that VS Code and Node provide', () => {
    const scripts = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(extension|chunks\/.*)\.js$/.test(name),
    );
    const required = scripts
      .map((name) => readFileSync(path.join(outdir, name), 'utf8'))
      .flatMap((code) => [...code.matchAll(/require\("([^".]+)"\)/g)].map((match) => match[1] ?? ''));
    const there = ['vscode', ...builtinModules, ...optional];
    expect(required).toContain('vscode');
    expect(required.filter((name) => !there.includes(name.replace('node:', '')))).toEqual([]);
  });
});
