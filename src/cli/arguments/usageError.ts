import { similarNames } from '../../core/check/similarNames';
import { errorCode } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';

/** Its message is one sentence. */
export class UsageError extends Error {}

/** The argument in question, as `parseArgs` shows it: '--out <value>'. It may contain apostrophes itself. */
const quoted = /^(?:Unknown option|Option) '(.*?)'(?:\. To specify| argument| does not|$)/s;

/** Says why `parseArgs` rejects arguments. @param names those of the options, without hyphens */
export function parsingProblem(error: unknown, names: readonly string[]): unknown {
  const code = errorCode(error);
  if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) return error;
  const [, about = ''] = quoted.exec(error.message) ?? [];
  const [option = ''] = about.split(' ');
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return new UsageError(unknownOption(option, names));
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return new UsageError(
        error.message.includes('does not take')
          ? t`${option} doesn't take a value.`
          : t`${option} requires a value. Use ${`${option}=VALUE`} if the value starts with a hyphen.`,
      );
    default:
      return new UsageError(error.message);
  }
}

function unknownOption(option: string, names: readonly string[]): string {
  const [similar] = similarNames(option, names);
  if (similar === undefined) return t`Unknown option ${option}.`;
  return t`Unknown option ${option}. Did you mean ${`--${similar}`}?`;
}
