import { parseArgs } from 'node:util';
import { progressEnding } from '../../core/batch/batchEndings';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import type { BatchArguments } from '../commandArguments';
import { batchOptions } from './optionTable';
import { countOf, keyEnvOf, secondsOf, serverOf, yesOrNo } from './optionValues';
import { UsageError } from '../usageError';

/** Reads the arguments of `batch`. */
export function readBatch(args: string[]): BatchArguments {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: batchOptions });
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(t`Specify the batch file.`);
  if (more.length > 0) throw new UsageError(t`Specify only one batch file.`);
  if (values['retry-failed'] && !values.resume && !file.endsWith(progressEnding))
    throw new UsageError(t`--retry-failed requires --resume.`);
  return {
    command: 'batch',
    file,
    servers: (values.servers?.split(',') ?? []).map((each) => serverOf(each.trim(), '--servers')),
    keyEnv: keyEnvOf(values['key-env']),
    out: values.out,
    json: values.json,
    resume: values.resume,
    retryFailed: values['retry-failed'],
    ...rowOptions(values),
    upload: yesOrNo('--upload', values.upload),
    spend: yesOrNo('--spend', values.spend) ?? false,
    force: values.force,
    saveTemporary: values['save-temporary'],
    lookOut: lookOutOf(values['look-out']),
  };
}

/** What `run` and `batch` share. */
export function rowOptions(values: {
  readonly window?: string | undefined;
  readonly 'dry-run': boolean;
  readonly sheet?: string | undefined;
}) {
  const { window, sheet } = values;
  return {
    window: window === undefined ? undefined : countOf('--window', window, budgets.batchWindow),
    dryRun: values['dry-run'],
    sheet,
  };
}

/** ms. */
export function lookOutOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : 1000 * secondsOf('--look-out', text);
}
