import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DefaultReporter, type TestModule } from 'vitest/node';
import { describePart, remark, type PartResult } from './partResult';

/**
 * Vitest's own reporter with our words at the end, and the counts in a file: the closing line of `npm test` is made
 * from the counts of all parts, so no part may print a similar line.
 */
export class PartReporter extends DefaultReporter {
  readonly #part: string;
  readonly #tells: boolean;
  #modules: readonly TestModule[] = [];

  /** @param tells whether to print the counts here; not if the script around vitest does. */
  constructor(part: string, { tells = true } = {}) {
    super({ summary: false });
    this.#part = part;
    this.#tells = tells;
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
    this.#modules = args[0];
    super.onTestRunEnd(...args);
  }

  override reportTestSummary(_files: unknown, errors: readonly unknown[]): void {
    const tests = this.#modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    const result: PartResult = {
      part: this.#part,
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed:
        tests.filter((test) => test.result().state === 'failed').length +
        // A file that does not load or a beforeAll that throws leaves its tests "skipped": that is a failure too.
        this.#modules
          .flatMap((module) => [module, ...module.children.allSuites()])
          .filter((suite) => suite.errors().length > 0).length +
        errors.length,
      skipped: skipped.length,
      remarks: tests.flatMap((test) => {
        const { state, errors = [] } = test.result();
        if (errors.length === 0) return [];
        const error = errors.map(({ stack, message }) => stack ?? message).join('\n');
        return [remark(state === 'failed' ? 'failed' : 'failed once', test.fullName, error)];
      }),
    };
    for (const test of skipped) this.log(`  left out: ${test.fullName}`);
    if (this.#tells) this.log(describePart(result));
    const file = countsFile(this.#part);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(result));
  }
}

/** Where a vitest run stores the counts of its part. */
export function countsFile(part: string): string {
  return path.resolve('out/counts', `${part}.json`);
}
