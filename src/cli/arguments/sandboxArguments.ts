import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { SandboxArguments } from '../commandArguments';
import { isPracticeFault, practiceFaults } from '../practiceFaults';
import { isSandboxManager, sandboxManagers } from '../sandboxManagers';
import { UsageError } from '../usageError';
import { sandboxOptions } from './optionTable';

/** Reads the arguments of `sandbox`. */
export function readSandbox(args: string[]): SandboxArguments {
  const { values } = parseArgs({ args, options: sandboxOptions });
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new UsageError(t`--port must be a number from 0 to 65535.`);
  const { dialect, fault, manager, 'key-env': keyEnv } = values;
  if (dialect !== 'cloud' && dialect !== 'documented' && dialect !== 'local' && dialect !== 'local-old') {
    throw new UsageError(t`--dialect must be cloud, documented, local, or local-old.`);
  }
  if (dialect !== 'cloud' && dialect !== 'documented' && (keyEnv !== undefined || fault !== undefined))
    throw new UsageError(t`--key-env and --fault work only with --dialect cloud or documented.`);
  if (manager !== undefined && dialect !== 'local' && dialect !== 'local-old')
    throw new UsageError(t`--manager works only with --dialect local or local-old.`);
  if (manager !== undefined && !isSandboxManager(manager))
    throw new UsageError(t`--manager must be one of ${sandboxManagers.join(', ')}.`);
  if (keyEnv === '')
    throw new UsageError(t`--key-env must be the name of an environment variable, not the key itself.`);
  if (fault !== undefined && !isPracticeFault(fault))
    throw new UsageError(t`--fault must be one of ${Object.keys(practiceFaults).join(', ')}.`);
  return {
    command: 'sandbox',
    port,
    dialect,
    keyEnv,
    fault,
    manager,
  };
}
