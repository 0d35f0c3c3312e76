import { rewordTexts, t, useTranslations, type Translations } from '../core/safety/localize';
import type { Terminal } from './terminal';

/**
 * Chooses the language of this process before the commands are loaded, because their texts keep the language in which
 * they were created. English needs nothing. Output for programs is always English.
 */
export async function speakAsAsked(args: readonly string[], env: Terminal['env']): Promise<void> {
  // Windows has a language without any of the variables.
  const system = process.platform === 'win32' ? Intl.Collator().resolvedOptions().locale : undefined;
  if (!isChinese(env, system) || isForPrograms(args)) return;
  const [{ default: shared }, { default: own }] = await Promise.all([
    import('../../l10n/bundle.l10n.zh-cn.json'),
    import('../../l10n/cli.l10n.zh-cn.json'),
  ]);
  useTranslations('zh-cn', { ...shared, ...own });
}

/** Where Chinese is written in other characters than those of our texts. */
const traditional = /[_-](?:Hant|TW|HK|MO)\b/i;

/**
 * Uses the first of the variables that is set, like Unix programs. A terminal that names another encoding than UTF-8,
 * which is what we print, gets the English texts.
 * @param system the language of the system where no variable names one
 */
export function isChinese({ LC_ALL, LC_MESSAGES, LANG }: Terminal['env'], system = ''): boolean {
  const named = LC_ALL || LC_MESSAGES || LANG || system;
  return /^zh(?:[_-][a-z]+)*(?:\.utf-?8)?(?:@.*)?$/i.test(named) && !traditional.test(named);
}

/** Whether the output is `--json`, in either spelling, or only the version. */
export function isForPrograms(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return options.some((each, index) => {
    if (index === 0 && (each === '--version' || each === '-v')) return true;
    return (
      each === '--json' || each === '--format=json' || (each === '--format' && options[index + 1] === 'json')
    );
  });
}

/** Once the language is known. */
export function useCommandTexts(): void {
  rewordTexts(commandTexts());
}

/** What `core` says of commands, views and settings of VS Code, in terms of what the command line has instead. */
export function commandTexts(): Translations {
  const validKey = t`Set the variable that --key-env names to a valid API key.`;
  const aKey = t`Set an environment variable to your API key, and name it with --key-env.`;
  const server = t`Fix the address in --server.`;
  const out = t`Specify a folder you can write to with --out.`;
  const shorter = t`Specify a folder with a shorter path with --out.`;
  return {
    'Sign in again with a valid API key.': validKey,
    'Sign in with a valid API key.': validKey,
    'Sign in to the music service with a valid API key or token.': validKey,
    'Sign in with an API key.': aKey,
    'Sign in with a Comfy API key, then run again.': aKey,
    'Sign in, then run again.': aKey,
    'The stored key contains characters that are not allowed in a key.': t`The variable that --key-env names contains characters that are not allowed in a key.`,
    "Use the server's https address, or sign out of it.": t`Use the server's https address, or leave out --key-env.`,
    'Fix the server address in the settings.': server,
    'Check the music service address in the settings.': server,
    "Check your account's permissions, or choose another server.": t`Check your account's permissions, or specify another server with --server.`,
    'The server no longer has this. Refresh the list.': t`Check --server, and whether the server still has it.`,
    'Choose an output folder you can write to.': out,
    'Choose an output folder you can write to, then run again.': out,
    'Choose an output folder you can write to, then save the outputs again.': t`Make the output folder writable, then run comfy-deck fetch.`,
    'Choose an output folder with a shorter path.': shorter,
    'Choose an output folder with a shorter path, then run again.': shorter,
    'Choose an output folder with a shorter path, then save the outputs again.': shorter,
    'Choose an output folder on another disk.': t`Specify a folder on another disk with --out.`,
    "Save the outputs again later. You don't need to rerun the job.": t`Run comfy-deck fetch again later. You don't need to rerun the job.`,
  };
}
