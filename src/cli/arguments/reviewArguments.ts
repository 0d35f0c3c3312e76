import { parseArgs } from 'node:util';
import type { Stars } from '../../core/registry/review';
import { t } from '../../core/safety/localize';
import { UsageError } from '../usageError';
import { reviewOptions } from './optionTable';
import { keyEnvOf, registryOf } from './optionValues';

export interface ReviewArguments {
  readonly command: 'review';
  /** Of the pack. */
  readonly id: string;
  readonly stars: Stars;
  /** Address of the registry. */
  readonly server: string;
  /** Name of the environment variable with the token. */
  readonly keyEnv?: string | undefined;
}

/** Reads the arguments of `review`. */
export function readReview(args: string[]): ReviewArguments {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: reviewOptions });
  const [id = '', ...more] = positionals;
  if (id.trim() === '') throw new UsageError(t`Specify the ID of the node pack.`);
  if (more.length > 0) throw new UsageError(t`Specify only one node pack.`);
  const stars = ([1, 2, 3, 4, 5] as const).find((each) => String(each) === values.stars);
  if (stars === undefined) throw new UsageError(t`--stars takes a whole number from 1 to 5.`);
  const { server } = values;
  return { command: 'review', id, stars, server: registryOf(server), keyEnv: keyEnvOf(values['key-env']) };
}
