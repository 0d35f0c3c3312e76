import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { MusicArguments } from '../commandArguments';
import { UsageError } from '../usageError';
import { musicOptions } from './optionTable';
import { keyEnvOf, musicServerOf } from './optionValues';

/** Reads the arguments of `music`. */
export function readMusic(args: string[]): MusicArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: musicOptions,
  });
  const [prompt, ...more] = positionals;
  if (prompt === undefined) throw new UsageError(t`Specify a prompt.`);
  if (more.length > 0) throw new UsageError(t`Put the prompt in quotes.`);
  if (!/^\d+$/.test(values.duration))
    throw new UsageError(t`--duration must be a whole number from 1 to 360 (seconds).`);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'music',
    prompt,
    duration: Number(values.duration),
    server: musicServerOf(values.server ?? (keyEnv === undefined ? 'sandbox' : 'comfy')),
    keyEnv,
    out: values.out,
    json: values.json,
    keepPartial: values['keep-partial'],
  };
}
