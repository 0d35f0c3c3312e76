import { exactFrom } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import { listedNodes } from './nodeTable';
import type { InputSpecJson, NodeDefinitionJson, SandboxNode } from './sandboxNode';

let all: ReadonlyMap<string, SandboxNode> | undefined;

/** Every node type of the sandbox, by name. */
export function sandboxNodes(): ReadonlyMap<string, SandboxNode> {
  all ??= new Map(listedNodes().map((node) => [node.definition.name, node]));
  return all;
}

/**
 * The answer of `/object_info`. Limits beyond 2^53 are bigint: `definitionsText` writes them.
 * @param inputFiles names in the input area, which the loaders offer for their file inputs.
 */
export function sandboxDefinitions(inputFiles: readonly string[] = []): Record<string, NodeDefinitionJson> {
  return Object.fromEntries(
    [...sandboxNodes()].map(([name, { definition }]) => [name, withFiles(definition, inputFiles)]),
  );
}

/** The same as JSON text, with every digit of every limit. */
export function definitionsText(definitions: Readonly<Record<string, NodeDefinitionJson>>): string {
  return writeExact(exactFrom(definitions));
}

const uploads = ['image_upload', 'audio_upload'];

function withFiles(definition: NodeDefinitionJson, files: readonly string[]): NodeDefinitionJson {
  const entries = Object.entries(definition.input.required);
  if (!entries.some(([, spec]) => isUpload(spec))) return definition;
  const required = Object.fromEntries(
    entries.map(([name, spec]) => [name, isUpload(spec) ? offering(spec, files) : spec]),
  );
  return { ...definition, input: { ...definition.input, required } };
}

function isUpload([, options]: InputSpecJson): boolean {
  return uploads.some((name) => options?.[name] === true);
}

function offering([type, options]: InputSpecJson, files: readonly string[]): InputSpecJson {
  return type === 'COMBO' ? [type, { ...options, options: files }] : [files, options];
}
