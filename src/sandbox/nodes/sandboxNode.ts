import type { Picture } from '../drawing/picture';
import type { FileStore } from '../files/fileStore';

/**
 * Anything that travels along a link: JSON values, integers beyond 2^53 as bigint, and the sandbox's own values
 * (models, conditioning, latents, pictures, masks, sound: see nodeValues.ts). Nodes read their inputs through the
 * readers of nodeValues.ts, which raise the real server's error for a value of the wrong kind.
 */
export type SandboxValue = unknown;

/** A node of a submitted prompt as parsed; only `class_type` and `inputs` matter for running it (protocol 1.5). */
export interface SubmittedNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly title?: string };
}

/** Node id to node. */
export type PromptNodes = Readonly<Record<string, SubmittedNode>>;

/** What a node may do while it runs. */
export interface NodeContext {
  readonly nodeId: string;
  /** The prompt exactly as submitted, for the metadata of pictures: as text, so that no digit is lost. */
  readonly promptText: string;
  /** `extra_data.extra_pnginfo` of the submission: name to value, such as `workflow`. */
  readonly extraPnginfo: Readonly<Record<string, unknown>>;
  /** The key for partner nodes from the submission. */
  readonly partnerKey: string | undefined;
  readonly signal: AbortSignal;
  /** Reports progress, waits as long as a step takes here, and rejects if the job was cancelled. */
  steps(value: number, max: number): Promise<void>;
  /** An intermediate picture, shown with the next call of `steps`; not even drawn unless previews are on. */
  preview(draw: () => Picture): void;
  /** Prefix of the ids of the nodes that this one expands into, such as `12.0.0.`. */
  readonly expansionPrefix: string;
  /** Shows a line of text on the node, or another one, while it runs. */
  text(text: string, nodeId?: string): void;
  readonly files: FileStore;
  /** A random number from 0 to 1: for names of temporary files, never for drawing. */
  random(): number;
}

/**
 * A branch that must not run: nodes that receive it are skipped. With a message the skip is reported (protocol 3.4).
 */
export class ExecutionBlocker {
  constructor(readonly message: string | null) {}
}

/** Nodes that replace the node that returned them. `outputs` may contain links `[id, slot]` to them. */
export interface Expansion {
  readonly nodes: PromptNodes;
  readonly outputs: readonly SandboxValue[];
}

export interface NodeResult {
  /** One per output slot of the definition; an `ExecutionBlocker` in a slot blocks the nodes behind it. */
  readonly outputs: readonly SandboxValue[];
  /** The record in `executed` and in the history (protocol 3.5). */
  readonly ui?: Readonly<Record<string, readonly unknown[]>>;
  readonly expand?: Expansion;
  /** The node starts a loop with these iterations: their index and their item of a list. */
  readonly iterations?: readonly (readonly [index: number, item: SandboxValue])[];
}

export type NodeRun = (
  inputs: Readonly<Record<string, SandboxValue>>,
  context: NodeContext,
) => Promise<NodeResult> | NodeResult;

/** One node type of the sandbox. */
export interface SandboxNode {
  /** The entry in the answer of `/object_info`, in the server's V1 form (protocol 1.2). */
  readonly definition: NodeDefinitionJson;
  readonly run: NodeRun;
  /** The function that messages about arguments name, unless it is `<class>.execute`. */
  readonly pythonFunction?: string;
  /**
   * Names of the inputs that the node type validates itself: the server's own limits and lists do not apply to them.
   */
  readonly validates?: readonly string[];
  /** True, or why the inputs (literals only) are refused. */
  validate?(inputs: Readonly<Record<string, unknown>>, files: FileStore): true | string;
  /** What the cached result depends on besides the inputs; text that differs each time means never cached. */
  fingerprint?(inputs: Readonly<Record<string, unknown>>, files: FileStore): string;
  /** The lazy inputs not evaluated yet that are needed after all. */
  needs?(known: Readonly<Record<string, SandboxValue>>): readonly string[];
}

/** What a node type does beyond its line in `nodeSignatures.ts`. */
export interface NodeBehaviour extends Omit<SandboxNode, 'definition' | 'run'> {
  /** Missing: a stand-in runs. */
  readonly run?: NodeRun;
  readonly output?: boolean;
  readonly takesLists?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Replaces the specs of inputs that a signature cannot express; new ones are required. */
  readonly specs?: InputSection;
}

/** `[type]` or `[type, options]` (protocol 1.2, input spec). */
export type InputSpecJson = readonly [
  type: string | readonly unknown[],
  options?: Readonly<Record<string, unknown>> | undefined,
];

type InputSection = Readonly<Record<string, InputSpecJson>>;

/** A definition in the V1 form. Optional members without content are left out, as on the real server. */
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
