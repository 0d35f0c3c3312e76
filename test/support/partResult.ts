/** The result of one part of the tests (unit, host, ui). */
export interface PartResult {
  readonly part: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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

/** The last line of `npm test`. */
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

/** The end of a script that runs one part alone. */
export async function finishWith(part: string, run: () => Promise<PartResult>): Promise<void> {
  const result = await runPart(part, run);
  console.log(describePart(result));
  process.exitCode = isGood(result) ? 0 : 1;
}
