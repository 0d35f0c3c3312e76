import type { NodeErrorMap, PromptError } from './nodeErrors';

/** What could be learned from the body of a refusal. */
export interface ErrorBody {
  readonly message?: string;
  /** `error.type`, `error.code` or `code`. */
  readonly code?: string;
  readonly nodeErrors?: NodeErrorMap;
  /** Present when the body has an `error`, text or object. */
  readonly promptError?: PromptError;
}

export declare function readErrorBody(bodyText: string, contentType?: string | null): ErrorBody;
export declare function embeddedValidation(
  message: string,
): { readonly error?: PromptError; readonly nodeErrors?: NodeErrorMap } | undefined;
