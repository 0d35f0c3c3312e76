import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Names in each world that belong to another one. */
const worlds = {
  'src/core/tsconfig.plain.json': [],
  'src/core/tsconfig.node.json': ['process'],
  'src/sandbox/tsconfig.json': ['process'],
  'src/cli/tsconfig.json': ['process'],
  'src/webview/contract/tsconfig.json': [],
  'src/webview/tsconfig.json': ['document'],
  'src/host/tsconfig.json': ['process'],
};
const names = ['document', 'process'];

/** Read once for all worlds: they differ only in what they include. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** Which of the names exist for a file in that world. */
function namesKnownIn(config: string): string[] {
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: failed };
  const world = ts.getParsedCommandLineOfConfigFile(config, {}, host);
  if (world === undefined) throw new Error(`${config} cannot be read`);
  const options = { ...world.options, composite: false, incremental: false, noEmit: true };
  const probes = new Map(names.map((name) => [path.resolve(path.dirname(config), `${name}.probe.ts`), name]));
  const compiler = ts.createCompilerHost(options);
  const readSource = compiler.getSourceFile.bind(compiler);
  compiler.getSourceFile = (file, languageVersion, ...rest) => {
    const name = probes.get(path.resolve(file));
    if (name !== undefined) return ts.createSourceFile(file, `${name};\nexport {};\n`, languageVersion);
    if (!sources.has(file)) sources.set(file, readSource(file, languageVersion, ...rest));
    return sources.get(file);
  };
  const program = ts.createProgram([...world.fileNames, ...probes.keys()], options, compiler);
  return Array.from(probes).flatMap(([file, name]) =>
    program.getSemanticDiagnostics(program.getSourceFile(file)).length === 0 ? [name] : [],
  );
}

function failed({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('code that needs another environment does not compile', () => {
  it.each(Object.entries(worlds))('in %s', (config, has) => {
    expect(namesKnownIn(config)).toEqual(has);
  });
});
