import { type Arguments, type CommandName, shells } from './commandArguments';
import { type Command, commandEntries } from './commandTable';
import { commandOptions, type Option, type Options } from './arguments/optionTable';
import { type CommandContext, exitCodes } from './terminal';
import { t } from '../core/safety/localize';

export type Shell = (typeof shells)[number];

export function completionCommand(
  { shell }: Arguments<'completion'>,
  { terminal }: CommandContext,
): Promise<number> {
  terminal.out(completionScript(shell));
  return Promise.resolve(exitCodes.done);
}

/** The script is self-contained: Tab starts no program. */
export function completionScript(shell: Shell): string {
  return { bash, zsh, fish, powershell }[shell]();
}

function optionsOf(name: CommandName): readonly (readonly [string, Option])[] {
  return Object.entries<Option>(commandOptions[name] satisfies Options);
}

const commandNames = commandEntries.map(([name]) => name);
const names = commandNames.join(' ');

function bash(): string {
  const cases = commandEntries.map(([name, command]) => {
    const values = optionsOf(name).flatMap(([option, { offers, type }]) => {
      if (type === 'boolean') return [];
      return [`        --${option}) ${bashValues(offers)} return ;;`];
    });
    const all = [...optionsOf(name).map(([option]) => `--${option}`), '--help'].join(' ');
    return [
      `    ${name})`,
      ...(values.length > 0 ? ['      case $before in', ...values, '      esac'] : []),
      `      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '${all}' -- "$word")); return; fi`,
      `      ${bashArguments(command)} ;;`,
    ].join('\n');
  });
  return `# bash completion of comfy-deck
_comfy_deck() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    help) COMPREPLY=($(compgen -W '${names}' -- "$word")) ;;
  esac
}
complete -o filenames -F _comfy_deck comfy-deck
`;
}

const bashFiles = 'mapfile -t COMPREPLY < <(compgen -f -- "$word")';

function bashValues(offers: Option['offers']): string {
  if (offers === 'file') return `${bashFiles};`;
  if (offers === 'folder') return 'mapfile -t COMPREPLY < <(compgen -d -- "$word");';
  return offers ? `COMPREPLY=($(compgen -W '${offers.join(' ')}' -- "$word"));` : '';
}

function bashArguments({ takes }: Command): string {
  if (takes === 'SHELL') return `COMPREPLY=($(compgen -W '${shells.join(' ')}' -- "$word"))`;
  return takesFiles(takes) ? bashFiles : ':';
}

function zsh(): string {
  const cases = commandEntries.map(([name, command]) => {
    const specs = [
      ...optionsOf(name).map(([option, each]) => zshOption(option, each)),
      `'--help[${zshText(t`show help`)}]'`,
      ...zshArguments(command),
    ];
    return [
      `        ${name})`,
      `          _arguments \\`,
      `            ${specs.join(' \\\n            ')} ;;`,
    ].join('\n');
  });
  const described = commandEntries.map(([name, { summary }]) => `        '${name}:${quoted(summary)}'`);
  return `# zsh completion of comfy-deck
_comfy_deck() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C '1: :->command' '*:: :->arguments' '(- *)--help[${zshText(t`show help`)}]' '(- *)--version[${zshText(t`print the version`)}]'
  case $state in
    command)
      local -a commands=(
${described.join('\n')}
        'help:${quoted(t`show help`)}'
      )
      _describe command commands ;;
    arguments)
      case $words[1] in
${cases.join('\n')}
        help) _values command ${names} ;;
      esac ;;
  esac
}
compdef _comfy_deck comfy-deck
`;
}

function zshOption(name: string, { type, help, value, offers }: Option): string {
  const takes = type === 'boolean' ? '' : `:${value ?? ''}:${zshValues(offers)}`;
  return `'--${name}[${zshText(help.line())}]${takes}'`;
}

function zshText(text: string): string {
  return quoted(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

function zshValues(offers: Option['offers']): string {
  if (offers === 'file') return '_files';
  if (offers === 'folder') return '_files -/';
  return offers ? `(${offers.join(' ')})` : '';
}

function zshArguments({ takes }: Command): string[] {
  if (takes === 'SHELL') return [`'1:SHELL:(${shells.join(' ')})'`];
  if (!takesFiles(takes)) return [];
  return [takes === 'FILES…' ? `'*:FILES:_files'` : `'1:${takes}:_files'`];
}

function fish(): string {
  const isFirst = `-n '__fish_is_first_token'`;
  const lines = commandEntries.flatMap(([name, command]) => {
    const on = `complete -c comfy-deck -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c comfy-deck ${isFirst} -a ${name} -d '${quoted(command.summary)}'`,
      ...optionsOf(name).map(([option, each]) => `${on} ${fishOption(option, each)}`),
      `${on} -l help -d '${quoted(t`show help`)}'`,
      ...fishArguments(command).map((each) => `${on} ${each}`),
    ];
  });
  return `# fish completion of comfy-deck
complete -c comfy-deck -f
complete -c comfy-deck ${isFirst} -l version -d '${quoted(t`print the version`)}'
complete -c comfy-deck ${isFirst} -l help -d '${quoted(t`show help`)}'
complete -c comfy-deck ${isFirst} -a help -d '${quoted(t`show help`)}'
complete -c comfy-deck -n '__fish_seen_subcommand_from help' -a '${names}'
${lines.join('\n')}
`;
}

function fishOption(name: string, { type, help, offers }: Option): string {
  const takes = type === 'boolean' ? '' : ` ${fishValues(offers)}`;
  return `-l ${name}${takes} -d '${quoted(help.line())}'`;
}

function fishValues(offers: Option['offers']): string {
  if (offers === 'file') return '-r -F';
  if (offers === 'folder') return `-x -a '(__fish_complete_directories)'`;
  return offers ? `-x -a '${offers.join(' ')}'` : '-x';
}

/** `-F` would also offer files for the values of all options. */
function fishArguments({ takes }: Command): string[] {
  if (takes === 'SHELL') return [`-a '${shells.join(' ')}'`];
  return takesFiles(takes) ? [`-a '(__fish_complete_path (commandline -ct))'`] : [];
}

function takesFiles(takes: Command['takes']): takes is NonNullable<typeof takes> {
  return takes !== undefined && !['PROMPT', 'ID', 'PATTERN'].includes(takes);
}

function powershell(): string {
  const list = (all: readonly string[]): string => `@(${all.map((each) => `'${each}'`).join(', ')})`;
  const values = commandNames.flatMap((name) =>
    optionsOf(name).flatMap(([option, { offers }]) =>
      Array.isArray(offers) ? [`    '${name} --${option}' = ${list(offers)}`] : [],
    ),
  );
  const options = commandNames.map(
    (name) => `    '${name}' = ${list([...optionsOf(name).map(([option]) => `--${option}`), '--help'])}`,
  );
  return `# PowerShell completion of comfy-deck
Register-ArgumentCompleter -Native -CommandName 'comfy-deck', 'comfy-deck.cmd', 'comfy-deck.ps1' -ScriptBlock {
  param($word, $line, $cursor)
  $commands = ${list([...commandNames, 'help', '--help', '--version'])}
  $values = @{
${values.join('\n')}
    'completion completion' = ${list(shells)}
    'help help' = ${list(commandNames)}
  }
  $options = @{
${options.join('\n')}
  }
  $words = @($line.CommandElements | ForEach-Object { $_.Extent.Text })
  $typed = if ($word -eq '') { $words.Count } else { $words.Count - 1 }
  $before = $words[$typed - 1]
  if ($typed -le 1) { $offers = $commands }
  elseif ($values.ContainsKey("$($words[1]) $before")) { $offers = $values["$($words[1]) $before"] }
  elseif ($word -like '-*') { $offers = $options[$words[1]] }
  $offers | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

/** Our own texts contain no single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", '’');
}
