import type { PromptRule } from '../rule';
import { t } from '../../safety/localize';

/** Prompts without an output node. */
export const noOutputs: PromptRule = ({ view, verdict, server }, report) => {
  const { root } = view.prompt;
  if (!root || verdict?.error?.type !== 'prompt_no_outputs') return;
  report({
    code: 'no-output-node',
    range: { offset: root.offset, length: 1 },
    message: t`The workflow has no output node, so ${server} has nothing to run. Add one, such as Save Image.`,
    counts: 'always',
    fix: { kind: 'addOutput' },
  });
};
