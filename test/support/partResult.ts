export interface PartResult {
  readonly part: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed, and what failed once and then passed: title and error, repeated where all parts end. */
  readonly remarks?: readonly string[];
  /** Set if the part could not run at all; it then counts as one skipped test. */
  readonly notRun?: CannotRun;
}

/** A part needs something that this machine lacks: what, and the command that helps. */
export class CannotRun extends Error {
  constructor(
    readonly reason: string,
    readonly help: string,
  ) {
    super(`${reason} ${help}`);
  }
}

/** On a build server a part that did not run is a failure: nobody reads the reason there. */
const inCi = process.env.CI === 'true' || process.env.CI === '1';

/**
 * Tests inside a VS Code get a second attempt on a build server, where other machines take turns with ours. What
 * needed it is named at the end: a test that often does is repaired.
 */
export const retriesInVsCode = inCi ? 1 : 0;

/** The longest remark, in characters: its title, and the beginning of its error. */
const longestRemark = 1_500;

export function remark(failed: 'failed' | 'failed once', title: string, error: string): string {
  return `${failed}: ${title}\n${error.replaceAll(/^/gm, '      ')}`.slice(0, longestRemark);
}

/** The summary of one part. It differs on purpose from the closing line of the whole run, which appears once. */
export function describePart({ part, passed, failed, skipped, notRun }: PartResult): string {
  if (notRun !== undefined) return `${part}: NOT RUN. ${notRun.reason}\n  What helps: ${notRun.help}`;
  const parts = [`${passed} ok`];
  if (failed > 0) parts.push(`${failed} not ok`);
  if (skipped > 0) parts.push(`${skipped} left out`);
  return `${part}: ${parts.join(', ')}`;
}

/**
 * A part succeeds if it ran, something passed and nothing failed; outside a build server it may also be unable to
 * run.
 */
export function isGood({ passed, failed, notRun }: PartResult): boolean {
  if (notRun !== undefined) return !inCi;
  return passed > 0 && failed === 0;
}

export function closingLine(parts: readonly PartResult[]): string {
  const sum = (count: (part: PartResult) => number) => parts.reduce((total, part) => total + count(part), 0);
  const failedParts = parts.filter((part) => !isGood(part) && part.failed === 0).length;
  const passed = sum((part) => part.passed);
  const failed = sum((part) => part.failed) + failedParts;
  const skipped = sum((part) => part.skipped + (part.notRun !== undefined && isGood(part) ? 1 : 0));
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Runs a part and turns "cannot run here" into its result; every other error is a defect and is passed on. */
export async function runPart(part: string, run: () => Promise<PartResult>): Promise<PartResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CannotRun) return { part, passed: 0, failed: 0, skipped: 0, notRun: error };
    throw error;
  }
}

export async function finishWith(part: string, run: () => Promise<PartResult>): Promise<void> {
  const result = await runPart(part, run);
  console.log(describePart(result));
  process.exitCode = isGood(result) ? 0 : 1;
}
