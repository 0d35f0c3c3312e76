import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Work for a row in a separate process, so that it is not measured with the row. */
export class HelperProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Its first message. */
    readonly told: unknown,
  ) {}

  /** Starts a helper by its name in `helpers.ts`; resolves with its first message. */
  static async start(name: string, ...args: readonly string[]): Promise<HelperProcess> {
    const child = fork(process.argv[1] ?? '', ['--helper', name, ...args], { execArgv: [] });
    const [told] = (await once(child, 'message')) as unknown[];
    return new HelperProcess(child, told);
  }

  /** Its next message. */
  async next(): Promise<unknown> {
    const [told] = (await once(this.child, 'message')) as unknown[];
    return told;
  }

  say(word: string): void {
    this.child.send(word);
  }

  stop(): void {
    this.child.kill();
  }
}
