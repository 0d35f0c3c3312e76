import { PromptRun } from './promptRun';
import type { RunResult } from './runEvent';
import type { RunRequest } from './runRequest';

/** Runs a prompt. Never rejects because of the prompt: every failure of a node is a `RunResult`. */
export function runPrompt(request: RunRequest): Promise<RunResult> {
  return new PromptRun(request).run();
}
