import type { ExecutionFailure } from './serverEvent';

export interface FailureExplanation {
  readonly title: string;
  readonly nextAction: string;
}

export declare function explainFailure(failure: ExecutionFailure): FailureExplanation;
