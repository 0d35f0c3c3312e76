import { runCli } from '../../../src/cli/cli';

/** Runs a command of the command line that must not need a network. */
export async function withoutNetwork(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runCli(
    args,
    {
      out: (text) => (out += text),
      err: (text) => (err += text),
      columns: undefined,
      env: {},
      onInterrupt: () => () => undefined,
      exit: () => undefined,
    },
    () => {
      throw new Error(`${args[0] ?? 'this'} needs no network`);
    },
  );
  return { code, out, err };
}
