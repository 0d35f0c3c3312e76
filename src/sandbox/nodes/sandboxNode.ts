import type { Picture } from '../drawing/picture';
import type { FileStore } from '../files/fileStore';

/** A JSON value with integers beyond 2^53 as bigint, or a value of nodeValues.ts. */
export type SandboxValue = unknown;

/** Only what matters for running it (protocol 1.5). */
export interface SubmittedNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

/** Node id to node. */
export type PromptNodes = Readonly<Record<string, SubmittedNode>>;

export interface NodeContext {
  readonly nodeId: string;
  /** A text, so that no digit of the metadata is lost. */
  readonly promptText: string;
  readonly extraPnginfo: Readonly<Record<string, unknown>>;
  readonly partnerKey: string | undefined;
  readonly signal: AbortSignal;
  /** Rejects if the job was cancelled. */
  steps(value: number, max: number): Promise<void>;
  /** Shown with the next call of `steps`; not drawn unless previews are on. */
  preview(draw: () => Picture): void;
  /** Such as `12.0.0.`. */
  readonly expansionPrefix: string;
  text(text: string, nodeId?: string): void;
  readonly files: FileStore;
  /** From 0 to 1; for names of temporary files, never for drawing. */
  random(): number;
}

/** Nodes that receive it are skipped. A message is reported (protocol 3.4). */
export class ExecutionBlocker {
  constructor(readonly message: string | null) {}
}

/** `outputs` may contain links `[id, slot]` to the nodes. */
export interface Expansion {
  readonly nodes: PromptNodes;
  readonly outputs: readonly SandboxValue[];
}

export interface NodeResult {
  /** One per output slot; an `ExecutionBlocker` blocks what depends on the slot. */
  readonly outputs: readonly SandboxValue[];
  /** The record in `executed` and in the history (protocol 3.5). */
  readonly ui?: Readonly<Record<string, readonly unknown[]>>;
  readonly expand?: Expansion;
  readonly iterations?: readonly (readonly [index: number, item: SandboxValue])[];
}

export type RunNode = (
  inputs: Readonly<Record<string, SandboxValue>>,
  context: NodeContext,
) => Promise<NodeResult> | NodeResult;

export interface SandboxNode {
  /** As in `/object_info`, in the V1 form (protocol 1.2). */
  readonly definition: NodeDefinitionJson;
  readonly run: RunNode;
  /** The name in messages about arguments; `<class>.execute` by default. */
  readonly pythonFunction?: string;
  /** Inputs that the node type validates itself, without the server's limits and lists. */
  readonly validates?: readonly string[];
  /** True, or why the inputs (literals only) are refused. */
  validate?(inputs: Readonly<Record<string, unknown>>, files: FileStore): true | string;
  /** What the result depends on besides the inputs; a text that always differs prevents caching. */
  fingerprint?(inputs: Readonly<Record<string, unknown>>, files: FileStore): string;
  /** Returns the lazy inputs that are needed after all. */
  needs?(known: Readonly<Record<string, SandboxValue>>): readonly string[];
}

/** Adds to the node type's line in `nodeSignatures.ts`. */
export interface NodeBehaviour extends Omit<SandboxNode, 'definition' | 'run'> {
  readonly run?: RunNode;
  readonly output?: boolean;
  readonly takesLists?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Specs that a signature can't express. */
  readonly specs?: InputSection;
}

/** `[type]` or `[type, options]` (protocol 1.2, input spec). */
export type InputSpecJson = readonly [
  type: string | readonly unknown[],
  options?: Readonly<Record<string, unknown>> | undefined,
];

type InputSection = Readonly<Record<string, InputSpecJson>>;

/** Optional members without content are left out, as on the real server. */
export interface NodeDefinitionJson {
  readonly input: {
    readonly required: InputSection;
    readonly optional?: InputSection;
    readonly hidden?: Readonly<Record<string, string>>;
  };
  readonly input_order: Readonly<Record<string, readonly string[]>>;
  readonly is_input_list: boolean;
  readonly output: readonly string[];
  readonly output_is_list: readonly boolean[];
  readonly output_name: readonly string[];
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly python_module: string;
  readonly category: string;
  readonly output_node: boolean;
  readonly has_intermediate_output: boolean;
  readonly api_node?: boolean;
  readonly deprecated?: boolean;
  readonly experimental?: boolean;
}
