/** One complaint of a server about one node of a prompt (protocol 7.2). */
export interface NodeError {
  /** Open set, such as `required_input_missing`. */
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extraInfo: Readonly<Record<string, unknown>>;
}

export interface NodeErrors {
  readonly classType?: string;
  readonly errors: readonly NodeError[];
  /** Output nodes that cannot run because of this one. */
  readonly dependentOutputs: readonly string[];
}

/** Node id -> complaints. */
export type NodeErrorMap = Readonly<Record<string, NodeErrors>>;

/** A complaint about the prompt as a whole. */
export interface PromptError {
  readonly type?: string;
  readonly message: string;
  readonly details?: string;
  readonly extraInfo?: Readonly<Record<string, unknown>>;
}
