import { parseArgs } from 'node:util';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import type { RunArguments } from '../commandArguments';
import { UsageError } from '../usageError';
import { lookOutOf, rowOptions } from './batchArguments';
import { runOptions } from './optionTable';
import { countOf, keyEnvOf, serverOf, yesOrNo } from './optionValues';

/** Reads the arguments of `run`. */
export function readRun(args: string[]): RunArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: runOptions,
  });
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(t`Specify the workflow file to run.`);
  if (more.length > 0) throw new UsageError(t`Specify only one workflow file.`);
  if (values.seed !== undefined && values.seed !== 'random')
    throw new UsageError(t`--seed must be "random".`);
  for (const option of ['sheet', 'window'] as const) {
    if (values[option] !== undefined && !values.set && values.count === undefined)
      throw new UsageError(t`${`--${option}`} works only with a batch. Add --set or --count.`);
  }
  if (values.next && (values.set || values.count !== undefined))
    throw new UsageError(t`--next works only for a single run, without --set or --count.`);
  const upload = yesOrNo('--upload', values.upload);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'run',
    file,
    server: serverOf(values.server),
    keyEnv,
    out: values.out,
    json: values.json,
    seeds: values.seed === 'random' ? 'new' : 'keep',
    next: values.next,
    set: values.set ?? [],
    count: values.count === undefined ? undefined : countOf('--count', values.count, budgets.batchRows),
    ...rowOptions(values),
    upload,
    spend: yesOrNo('--spend', values.spend) ?? false,
    force: values.force,
    strict: values.strict,
    saveTemporary: values['save-temporary'],
    traceback: values.traceback,
    lookOut: lookOutOf(values['look-out']),
  };
}
