import * as z from 'zod';
import { mapDefined } from '../safety/lists';
import { isRecord, wireList, nodeIdText, wireOptional, wireObject } from './wire';

/** A server's complaint about one node of a prompt (protocol 7.2). */
export interface NodeError {
  /** Open set, such as `required_input_missing`. */
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extraInfo: Readonly<Record<string, unknown>>;
}

export interface NodeErrors {
  readonly classType?: string | undefined;
  readonly errors: readonly NodeError[];
  readonly dependentOutputs: readonly string[];
}

export type NodeErrorMap = Readonly<Record<string, NodeErrors>>;

export interface PromptError {
  readonly type?: string | undefined;
  readonly message: string;
  readonly details?: string | undefined;
  readonly extraInfo?: Readonly<Record<string, unknown>> | undefined;
}

const nodeError = z
  .object({
    type: z.string().catch('unknown'),
    message: z.string().catch(''),
    details: z.string().catch(''),
    extra_info: wireObject.catch({}),
  })
  .transform((raw): NodeError => ({
    type: raw.type,
    message: raw.message,
    details: raw.details,
    extraInfo: raw.extra_info,
  }));

const nodeErrors = z.object({
  class_type: wireOptional(z.string()),
  errors: z.array(z.unknown()).catch([]),
  dependent_outputs: wireList(nodeIdText).catch([]),
});

/** `node_errors` is an object, `{}`, `[]`, null, or missing (protocol 1.5). */
export function readNodeErrors(raw: unknown): NodeErrorMap {
  const entries = Object.entries(isRecord(raw) ? raw : {}).flatMap(([nodeId, value]) => {
    const node = nodeErrors.safeParse(value).data;
    if (!node) return [];
    const read: NodeErrors = {
      classType: node.class_type,
      errors: mapDefined(node.errors, (error) => nodeError.safeParse(error).data),
      dependentOutputs: node.dependent_outputs,
    };
    return [[nodeId, read] as const];
  });
  // Not by assignment: a node's id may be `__proto__`.
  return Object.fromEntries(entries);
}
