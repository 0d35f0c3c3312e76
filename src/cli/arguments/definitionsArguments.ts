import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { ConvertArguments, ValidateArguments } from '../commandArguments';
import { UsageError } from '../usageError';
import { convertOptions, validateOptions } from './optionTable';
import { keyEnvOf, serverOf } from './optionValues';

const noDefinitions = t`Specify the node definitions with --definitions or --server.`;

/** Reads the arguments of `validate`. */
export function readValidate(args: string[]): ValidateArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: validateOptions,
  });
  const { definitions, validators, replacements, server, format } = values;
  if (positionals.length === 0) throw new UsageError(t`Specify the workflow files to check.`);
  if (definitions === undefined && server === undefined) throw new UsageError(noDefinitions);
  if (format !== 'text' && format !== 'json' && format !== 'github') {
    throw new UsageError(t`--format must be text, json, or github.`);
  }
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'validate',
    files: positionals,
    definitions,
    validators,
    replacements,
    server: server === undefined ? undefined : serverOf(server),
    keyEnv,
    format,
  };
}

/** Reads the arguments of `convert`. */
export function readConvert(args: string[]): ConvertArguments {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: convertOptions,
  });
  const { definitions, server, json, 'dynamic-prompts': dynamicPrompts, 'allow-loss': allowLoss } = values;
  if (definitions === undefined && server === undefined) throw new UsageError(noDefinitions);
  if (dynamicPrompts !== 'keep' && dynamicPrompts !== 'first' && dynamicPrompts !== 'random') {
    throw new UsageError(t`--dynamic-prompts must be keep, first, or random.`);
  }
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to convert.`);
  if (files.length > 1 && !json) throw new UsageError(t`Specify only one workflow file, or add --json.`);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'convert',
    files,
    definitions,
    server: server === undefined ? undefined : serverOf(server),
    keyEnv,
    dynamicPrompts,
    allowLoss,
    json,
  };
}
