import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';

export interface Submission {
  /** The exact JSON text of the prompt: it is posted as it is, digit for digit. */
  readonly promptText: string;
  readonly clientId: string;
  /** Canonical UUID; sent to local servers only (protocol 1.5). */
  readonly promptId?: string | undefined;
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** Only these output nodes run. */
  readonly partialTargets?: readonly string[] | undefined;
  readonly front?: boolean | undefined;
  /** Key for partner nodes; goes into `extra_data.api_key_comfy_org`. */
  readonly partnerKey?: string | undefined;
}

export type SubmissionAnswer =
  | {
      readonly kind: 'accepted';
      readonly promptId: string;
      readonly number?: number;
      readonly nodeErrors: NodeErrorMap;
    }
  | { readonly kind: 'refused'; readonly error: PromptError; readonly nodeErrors: NodeErrorMap };
