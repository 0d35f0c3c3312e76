import type { Terminal } from './terminal';

/**
 * Chooses the language of this process before the commands are loaded, because their texts keep the language in which
 * they were created. English needs nothing. Output for programs is always English.
 */
export async function speakAsAsked(args: readonly string[], env: Terminal['env']): Promise<void> {
  if (!isChinese(env) || isForPrograms(args)) return;
  const [{ default: shared }, { default: own }, { useTranslations }] = await Promise.all([
    import('../../l10n/bundle.l10n.zh-cn.json'),
    import('../../l10n/cli.l10n.zh-cn.json'),
    import('../core/safety/localize'),
  ]);
  useTranslations('zh-cn', { ...shared, ...own });
}

/** Where Chinese is written in other characters than those of our texts. */
const traditional = /[_-](?:Hant|TW|HK|MO)\b/i;

/**
 * Uses the first of the variables that is set, like Unix programs. A terminal that names another encoding than UTF-8,
 * which is what we print, gets the English texts.
 */
export function isChinese({ LC_ALL, LC_MESSAGES, LANG }: Terminal['env']): boolean {
  const named = LC_ALL || LC_MESSAGES || LANG || '';
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
