import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { JobsArguments, SentJobArguments } from '../commandArguments';
import { UsageError } from '../usageError';
import { cancelOptions, fetchOptions, jobsOptions } from './optionTable';
import { keyEnvOf, serverOf } from './optionValues';

/** Reads the arguments of the commands about jobs that were sent. */
export function readSentJob(
  command: 'jobs' | SentJobArguments['command'],
  args: string[],
): JobsArguments | SentJobArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...cancelOptions, ...fetchOptions, lost: jobsOptions.lost },
  });
  const [job, ...more] = positionals;
  const keyEnv = keyEnvOf(values['key-env']);
  if (keyEnv !== undefined && values.server === undefined) {
    throw new UsageError(t`--key-env requires --server. A key is sent only to a server that you specify.`);
  }
  if (values.server === 'sandbox')
    throw new UsageError(t`A sandbox started for a run stops with it, so it has no jobs to look up.`);
  const shared = {
    out: values.out,
    server: values.server === undefined ? undefined : serverOf(values.server),
    keyEnv,
    json: values.json,
  };
  if (values.yes && command !== 'cancel') throw new UsageError(t`--yes works only with cancel.`);
  const saveTemporary = values['save-temporary'];
  if (saveTemporary && command !== 'fetch' && command !== 'wait')
    throw new UsageError(t`--save-temporary works only with run, fetch, and wait.`);
  const { traceback } = values;
  if (traceback && command !== 'fetch' && command !== 'wait')
    throw new UsageError(t`--traceback belongs to run, rerun, fetch and wait.`);
  if (command === 'jobs') {
    if (job !== undefined) throw new UsageError(t`jobs takes no arguments, only options.`);
    return { command, lost: values.lost, ...shared };
  }
  if (values.lost) throw new UsageError(t`--lost works only with jobs and rerun.`);
  if (job === undefined) throw new UsageError(t`Specify the job, or its run record.`);
  if (more.length > 0) throw new UsageError(t`Specify only one job.`);
  return { command, job, yes: values.yes, saveTemporary, traceback, ...shared };
}
