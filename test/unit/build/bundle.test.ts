import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly entryPoint?: string; readonly inputs: object; readonly imports: readonly Import[] }
    >
  >;
}
interface Import {
  readonly path: string;
  readonly kind: string;
  readonly external?: boolean;
}

const outdir = 'out/bundle';

/** Accelerators that ws tries and does without. */
const optional = ['bufferutil', 'utf-8-validate'];

describe('the bundle that ships', () => {
  let meta: Metafile;

  beforeAll(() => {
    execFileSync(process.execPath, ['esbuild.mjs', '--production', '--outdir', outdir]);
    meta = JSON.parse(readFileSync(path.join(outdir, 'meta.json'), 'utf8')) as Metafile;
  });

  it('reads less than 250 KB when the extension is activated', () => {
    expect(statSync(path.join(outdir, 'extension.js')).size).toBeLessThan(250_000);
    const files = neededAtOnce('src/extension.ts').map((file) => statSync(file).size);
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  it('keeps undici out of the extension host, whose global dispatcher it would replace', () => {
    const everyExtensionFile = Object.entries(meta.outputs).filter(
      ([file]) => !/cli\.js|webview\//.test(file),
    );
    const inputs = everyExtensionFile.flatMap(([, output]) => Object.keys(output.inputs));
    expect(inputs).toContain('src/extension.ts');
    expect(inputs.filter((input) => input.includes('node_modules/undici/'))).toEqual([]);
  });

  it('asks VS Code and Node for nothing but what they have', () => {
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

  /** The output of an entry and the chunks it imports statically, as files. */
  function neededAtOnce(entryPoint: string): readonly string[] {
    const entry = Object.keys(meta.outputs).find((file) => meta.outputs[file]?.entryPoint === entryPoint);
    const needed = new Set<string>();
    const follow = (file: string): void => {
      if (needed.has(file)) return;
      needed.add(file);
      for (const { path: imported, kind, external } of meta.outputs[file]?.imports ?? []) {
        if (kind === 'import-statement' && external !== true) follow(imported);
      }
    };
    if (entry !== undefined) follow(entry);
    return [...needed];
  }
});
