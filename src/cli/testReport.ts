import { plural, sentencesText, t } from '../core/safety/localize';
import type { TestedOutput } from './compareToKept';
import { CommandReport } from './commandReport';
import { plainProgress } from './progressDisplay';
import { plainText, type Terminal } from './terminal';
import type { TestCounts, TestEvent } from './testEvents';

/** Statuses that fail. */
export const failing: ReadonlySet<TestedOutput['status']> = new Set(['different', 'missing', 'notKept']);

/** Reports tests: results on standard output for people too. */
export class TestReport extends CommandReport<TestEvent> {
  constructor(terminal: Terminal, json: boolean) {
    super(terminal, json, false, plainProgress(terminal.err));
  }

  output(file: string, tested: TestedOutput): void {
    const { output, nodeId, title, comparison, status, difference, actual } = tested;
    const { distance, share, message } = comparison;
    this.emit({
      event: 'output',
      file,
      output,
      nodeId,
      status,
      distance,
      share,
      message,
      difference,
      actual,
    });
    const name = title === undefined ? output : `${output} (${plainText(title)})`;
    const words = wordsOf(tested);
    const mark = failing.has(status) ? '✗' : '✓';
    this.print(`  ${mark} ${plainText(file)} ${name}${words === '' ? '' : `: ${words}`}`);
    const place = difference ?? actual;
    if (place !== undefined) this.print(`      ${plainText(place)}`);
  }

  summary(counts: TestCounts): void {
    this.emit({ event: 'summary', ...counts });
    const { passed, failed, errors, updated } = counts;
    const parts = [
      plural(passed, t`1 output passed`, t`${passed} outputs passed`),
      ...(failed > 0 ? [plural(failed, t`1 failed`, t`${failed} failed`)] : []),
      ...(updated > 0 ? [plural(updated, t`1 updated`, t`${updated} updated`)] : []),
      ...(errors > 0 ? [plural(errors, t`1 workflow not tested`, t`${errors} workflows not tested`)] : []),
    ];
    this.print(`${parts.join(', ')}.`);
    if (failed > 0) this.say(t`If these outputs are correct, accept them with --update.`);
  }
}

/** What comparing found, in sentences; empty if there is nothing to say. */
export function wordsOf({ status, comparison }: TestedOutput): string {
  return sentencesText(statusWords[status], comparison.message ?? '');
}

/** Where the message alone does not say it. */
const statusWords: Readonly<Record<TestedOutput['status'], string>> = {
  same: '',
  close: t`Within the threshold.`,
  different: '',
  missing: t`Expected, but not produced by this run.`,
  notKept: t`No expected output yet.`,
  kept: t`Added.`,
  updated: t`Updated.`,
  removed: t`Removed, because it's no longer produced.`,
};
