import type { BatchSetting } from '../core/batch/batchFile';
import { BatchProblem } from '../core/batch/batchProblem';
import { t } from '../core/safety/localize';

/**
 * Reads `INPUT=VALUES`: the first equals sign outside a quoted title.
 * @throws BatchProblem if there is none
 */
export function settingOf(text: string): BatchSetting {
  const title = /^\s*"(?:[^"\\]|\\.)*"/.exec(text)?.[0] ?? '';
  const at = text.indexOf('=', title.length);
  if (at < 0) {
    throw new BatchProblem(
      t`--set must be INPUT=VALUES, not ${JSON.stringify(text)}.`,
      t`For example, 3.seed=1 or KSampler.cfg=6,7,8.`,
      text,
    );
  }
  return { selector: text.slice(0, at).trim(), source: { kind: 'written', text: text.slice(at + 1).trim() } };
}
