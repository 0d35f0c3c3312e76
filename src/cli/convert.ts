import { readFile } from 'node:fs/promises';
import { Catalog, CatalogError } from '../core/catalog/catalog';
import type { JsonDocument } from '../core/json/tree';
import { parseJson } from '../core/json/tree';
import { detectFormat } from '../core/workflow/format';
import { compactText } from '../core/workflow/graph/compactText';
import type { CompileOptions } from '../core/workflow/graph/compileGraph';
import { compileGraph } from '../core/workflow/graph/compileGraph';
import type { GraphProblem } from '../core/workflow/graph/graphProblem';
import { indented } from '../core/workflow/graph/indentedText';
import { printableJson } from '../core/safety/plainText';
import type { ConvertArguments } from './commandLine';
import { exitCodes, jsonLine, plainText } from './terminal';
import type { Terminal } from './terminal';

/** What became of one file. */
type Conversion =
  | { readonly kind: 'prompt'; readonly promptText: string; readonly warnings: readonly Notice[] }
  | { readonly kind: 'error'; readonly error: Notice };

interface Notice {
  readonly code: string;
  readonly message: string;
  /** Where in the file, counted from 1. */
  readonly line?: number;
}

/** Converts workflow files to prompts, one after the other; gives the exit code. */
export async function convertCommand(options: ConvertArguments, terminal: Terminal): Promise<number> {
  const catalog = await readDefinitions(options.definitions);
  if (typeof catalog === 'string') {
    terminal.err(`${plainText(catalog)}\n`);
    return exitCodes.usage;
  }
  let code: number = exitCodes.done;
  for (const file of options.files) {
    const conversion = await convertFile(file, catalog, { dynamicPrompts: options.dynamicPrompts });
    if (conversion.kind === 'error') code = exitCodes.failed;
    if (options.json) terminal.out(jsonOf(file, conversion));
    else tell(file, conversion, terminal);
  }
  return code;
}

async function readDefinitions(file: string): Promise<Catalog | string> {
  try {
    return Catalog.fromText(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof CatalogError)
      return `${file} holds no node definitions. Save the answer of /object_info there.`;
    return `${file} could not be read: ${reasonOf(error)}`;
  }
}

async function convertFile(file: string, catalog: Catalog, options: CompileOptions): Promise<Conversion> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return {
      kind: 'error',
      error: { code: 'unreadable', message: `The file could not be read: ${reasonOf(error)}` },
    };
  }
  return convertText(text, catalog, options);
}

function convertText(text: string, catalog: Catalog, options: CompileOptions): Conversion {
  const document = parseJson(text);
  const format = detectFormat(document);
  switch (format.kind) {
    case 'none':
      return { kind: 'error', error: { code: format.reason, message: format.message } };
    case 'objectInfo': {
      const message = 'The file holds node definitions, no workflow. Name it with --definitions.';
      return { kind: 'error', error: { code: 'objectInfo', message } };
    }
    case 'api':
    case 'graph':
    case 'wrapper': {
      const inner = format.kind === 'wrapper' ? format.inner : format.kind;
      if (inner === 'api') return { kind: 'prompt', promptText: compactText(format.node), warnings: [] };
      const compiled = compileGraph(document, format.node, catalog, options);
      if (compiled.kind === 'failed') return { kind: 'error', error: noticeOf(compiled.problem, document) };
      const warnings = compiled.warnings.map((warning) => noticeOf(warning, document));
      return { kind: 'prompt', promptText: compiled.promptText, warnings };
    }
  }
}

function noticeOf({ code, message, node }: GraphProblem, { text }: JsonDocument): Notice {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < node.offset; at = text.indexOf('\n', at + 1)) line++;
  return { code, message, line };
}

function jsonOf(file: string, conversion: Conversion): string {
  if (conversion.kind === 'error') return jsonLine({ file, error: conversion.error });
  const name = JSON.stringify(file);
  const { promptText, warnings } = conversion;
  // The prompt as it is written: every digit of a number is kept.
  return printableJson(`{"file":${name},"prompt":${promptText},"warnings":${JSON.stringify(warnings)}}\n`);
}

/** For a person: the prompt on standard output, everything else beside it. */
function tell(file: string, conversion: Conversion, terminal: Terminal): void {
  const notices = conversion.kind === 'error' ? [conversion.error] : conversion.warnings;
  for (const { message, line } of notices) {
    terminal.err(`${plainText(file)}${line === undefined ? '' : `:${line}`}: ${plainText(message)}\n`);
  }
  if (conversion.kind === 'prompt') terminal.out(`${printableJson(indented(conversion.promptText))}\n`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
