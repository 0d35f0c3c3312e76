// Builds everything that ships: node esbuild.mjs [--production] [--watch] [--outdir DIR]
//
// The extension is CommonJS because that is what every VS Code loads, and it is split so that activation reads one
// small file: each `await import('./x')` under src/ becomes a chunk that is read from disk when the line is reached.
// esbuild splits ES modules only, so the extension is bundled twice: into split ES modules in memory, then each of
// those alone into CommonJS, which turns import() into a lazy require().
import * as esbuild from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { decoder } from './esbuild.decoder.mjs';

const { values: options } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    outdir: { type: 'string', default: 'dist' },
  },
});
const { production, watch, outdir } = options;

/** What every bundle has in common. */
const shared = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  minify: production,
  metafile: true,
  logLevel: 'warning',
  loader: { '.m4a': 'binary', '.flac': 'binary', '.mp4': 'binary', '.webp': 'binary', '.woff2': 'file' },
  mainFields: ['module', 'main'],
};

/** What runs in Node: 20 is what the oldest VS Code we serve brings. */
const node = {
  ...shared,
  platform: 'node',
  target: 'node20',
  // Optional accelerators of ws: native code, and ws does without.
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
};

const shebang = '#!/usr/bin/env node\n';

/**
 * Writes the imports and exports of a split module without esbuild's own helpers: every chunk would bring them, a tenth of what
 * activation reads, and each `import * as vscode` would copy the API. No line moves, for the source map. What exports names
 * that are no identifiers (JSON) is left to esbuild.
 */
function withoutHelpers(module) {
  const statement = /export\s*\{([\w$\s,]+)\};?(?=\s*(?:\/[/*].*)?$)/s;
  const [, exported] = statement.exec(module) ?? [];
  const getters = exported?.split(',').map((name) => {
    const [local, as = local] = name.trim().split(/\s+as\s+/);
    return `get ${as}(){return ${local}}`;
  });
  const own = getters ? `module.exports={${getters.join()}};${module.replace(statement, '')}` : module;
  return own
    .replace(/\bimport\s*(?:\*\s*as\s+)?([\w$]+)\s+from\s*("(?!\.)[^"]+")/g, 'const $1=require($2)')
    .replace(/\bimport\(("\.[^"]+")\)/g, 'Promise.resolve().then(()=>require($1))');
}

/** Turns one split ES module into CommonJS and keeps its source map. */
async function toCommonJs(file) {
  const { code, map } = await esbuild.transform(withoutHelpers(file.text), {
    format: 'cjs',
    platform: 'neutral',
    target: 'node20',
    supported: { 'dynamic-import': false },
    minify: production,
    sourcemap: production ? false : 'external',
    sourcefile: path.basename(file.path),
    logLevel: 'warning',
  });
  await mkdir(path.dirname(file.path), { recursive: true });
  const isProgram = path.basename(file.path) === 'cli.js';
  const mode = isProgram ? 0o755 : 0o644;
  const head = isProgram ? shebang : '';
  if (production) return writeFile(file.path, head + code, { mode });
  await writeFile(`${file.path}.map`, map);
  await writeFile(file.path, `${head}${code}//# sourceMappingURL=${path.basename(file.path)}.map\n`, {
    mode,
  });
}

const writeCommonJs = (chunks) => ({
  name: 'write-commonjs',
  setup(build) {
    build.onEnd(async (result) => {
      await rm(path.join(outdir, chunks), { recursive: true, force: true });
      await Promise.all((result.outputFiles ?? []).map(toCommonJs));
    });
  },
});

/** Options of a bundle whose `import()` are chunks in a folder of that name. */
const split = (chunks) => ({
  ...node,
  outdir,
  format: 'esm',
  splitting: true,
  chunkNames: `${chunks}/[name]-[hash]`,
  sourcemap: production ? false : 'inline',
  write: false,
  plugins: [writeCommonJs(chunks)],
});

const extension = { ...split('chunks'), entryPoints: { extension: 'src/extension.ts' } };

/** undici speaks HTTP/2 only where it is asked to, which we never do: without it Node's HTTP/2 is not loaded. */
const withoutHttp2 = {
  name: 'without-http2',
  setup(build) {
    build.onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 is off.'); };",
    }));
  },
};

const cli = {
  ...split('cli-chunks'),
  entryPoints: { cli: 'src/cli/main.ts' },
  // Its modules ask for the address of their file, which a CommonJS chunk doesn't have.
  alias: { tinyglobby: path.join(import.meta.dirname, 'node_modules/tinyglobby/dist/index.cjs') },
  plugins: [withoutHttp2, writeCommonJs('cli-chunks')],
};

/**
 * One browser bundle per panel: src/webview/<panel>/main.ts with the styles that it imports; and the decoder, which is
 * LGPL and therefore a script of its own.
 */
async function webviews() {
  const folders = existsSync('src/webview') ? await readdir('src/webview') : [];
  const panels = folders.filter((panel) => existsSync(`src/webview/${panel}/main.ts`));
  return {
    ...shared,
    entryPoints: {
      ...Object.fromEntries(panels.map((panel) => [panel, `src/webview/${panel}/main.ts`])),
      'decoder/worker': 'src/webview/music/decoderWorker.ts',
      // Runs in the ComfyUI page.
      'canvas/comfyPage': 'src/webview/canvas/comfyPage.ts',
    },
    outdir: path.join(outdir, 'webview'),
    platform: 'browser',
    mainFields: ['browser', ...shared.mainFields],
    target: 'es2022',
    format: 'iife',
    sourcemap: production ? false : 'linked',
    // The decoder asks for them where it runs in Node, which it never does here.
    external: ['crypto', 'fs', 'path'],
    plugins: [decoder(outdir)],
  };
}

process.chdir(import.meta.dirname);
await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
const bundles = [extension, cli, await webviews()].filter((bundle) =>
  Object.values(bundle.entryPoints).some((entry) => existsSync(entry)),
);

if (watch) {
  const contexts = await Promise.all(
    bundles.map((bundle) => esbuild.context({ ...bundle, logLevel: 'info' })),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  // What is wrong with the code esbuild has said already; a stack of this script adds nothing.
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(bundle))).catch(() =>
    process.exit(1),
  );
  const meta = { inputs: {}, outputs: {} };
  for (const { metafile } of results) {
    Object.assign(meta.inputs, metafile.inputs);
    Object.assign(meta.outputs, metafile.outputs);
  }
  await writeFile(path.join(outdir, 'meta.json'), JSON.stringify(meta));
}
