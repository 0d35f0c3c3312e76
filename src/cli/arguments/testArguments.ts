import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { TestArguments } from '../commandArguments';
import { UsageError } from '../usageError';
import { testOptions } from './optionTable';
import { keyEnvOf, serverOf, yesOrNo } from './optionValues';

/** Reads the arguments of `test`. */
export function readTest(args: string[]): TestArguments {
  const { values, positionals: files } = parseArgs({ args, allowPositionals: true, options: testOptions });
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to test.`);
  return {
    command: 'test',
    files,
    server: serverOf(values.server),
    keyEnv: keyEnvOf(values['key-env']),
    expected: values.expected,
    update: values.update,
    threshold: values.threshold === undefined ? undefined : thresholdOf(values.threshold),
    junit: values.junit,
    diff: values.diff,
    json: values.json,
    upload: yesOrNo('--upload', values.upload),
    spend: yesOrNo('--spend', values.spend) ?? false,
    force: values.force,
    saveTemporary: values['save-temporary'],
  };
}

function thresholdOf(text: string): number {
  const threshold = /^\d{1,3}(?:\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (!(threshold <= 100)) throw new UsageError(t`--threshold must be a number from 0 to 100.`);
  return threshold;
}
