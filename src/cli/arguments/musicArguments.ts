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
  if (prompt === undefined) throw new UsageError(t`Describe the music.`);
  if (more.length > 0) throw new UsageError(t`Quote the description so that it is one argument.`);
  if (!/^\d+$/.test(values.duration))
    throw new UsageError(t`--duration takes a whole number of seconds from 1 to 360.`);
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
