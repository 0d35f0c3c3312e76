import { errorCode } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';

/** Invalid arguments; the message says what is wrong in one sentence. */
export class UsageError extends Error {}

/** The argument in question, as `parseArgs` shows it: '--out <value>'. It may contain apostrophes itself. */
const quoted =
  /^(?:Unexpected argument|Unknown option|Option) '(.*?)'(?:\. (?:This command|To specify)| argument| does not|$)/s;

/**
 * What is wrong with the arguments, in one sentence; undefined if the error is about something else. The messages of
 * `parseArgs` are English only.
 */
export function usageProblem(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  const code = errorCode(error);
  if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) return undefined;
  const [, about = ''] = quoted.exec(error.message) ?? [];
  const [option = ''] = about.split(' ');
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return t`Unknown option ${option}.`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return t`Unexpected argument ${about}.`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      if (error.message.includes('does not take')) return t`${option} doesn't take a value.`;
      return t`${option} requires a value. Use ${`${option}=VALUE`} if the value starts with a hyphen.`;
    default:
      return error.message;
  }
}
