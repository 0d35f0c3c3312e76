import { parseArgs } from 'node:util';
import type { RerunArguments, ShowArguments } from '../commandArguments';
import { rerunOptions, showOptions } from './optionTable';
import { keyEnvOf, secondsOf, serverOf, yesOrNo } from './optionValues';
import { UsageError } from '../usageError';
import { t } from '../../core/safety/localize';

export function readShow(args: string[]): ShowArguments {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: showOptions });
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(t`Specify the run record, or an output.`);
  if (more.length > 0) throw new UsageError(t`Specify only one file.`);
  return { command: 'show', file, out: values.out, json: values.json };
}

export function readRerun(args: string[]): RerunArguments {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: rerunOptions });
  const [file, ...more] = positionals;
  const { lost } = values;
  if (lost && (values.server === undefined || values.server === 'sandbox'))
    throw new UsageError(t`--lost requires --server. Runs are sent again only to a server that you specify.`);
  if (lost && file !== undefined) throw new UsageError(t`Specify a run record or --lost, not both.`);
  if (file === undefined && !lost) throw new UsageError(t`Specify the run record.`);
  if (more.length > 0) throw new UsageError(t`Specify only one file.`);
  if (values.seed !== undefined && values.seed !== 'random')
    throw new UsageError(t`--seed must be "random".`);
  const keyEnv = keyEnvOf(values['key-env']);
  if (keyEnv !== undefined && values.server === undefined)
    throw new UsageError(t`--key-env requires --server. A key is sent only to a server that you specify.`);
  const lookOut = values['look-out'];
  return {
    command: 'rerun',
    file: file ?? '',
    server: values.server === undefined ? undefined : serverOf(values.server),
    lostOn: lost && values.server !== undefined ? serverOf(values.server) : undefined,
    keyEnv,
    out: values.out,
    json: values.json,
    seeds: values.seed === 'random' ? 'new' : 'keep',
    upload: yesOrNo('--upload', values.upload),
    spend: yesOrNo('--spend', values.spend) ?? false,
    force: values.force,
    strict: values.strict,
    saveTemporary: values['save-temporary'],
    traceback: values.traceback,
    lookOut: lookOut === undefined ? undefined : 1000 * secondsOf('--look-out', lookOut),
  };
}
