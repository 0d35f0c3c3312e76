import type { CommandName } from './commandArguments';
import { type Command, commandEntries, commandTable } from './commandTable';
import { commandOptions, type Options } from './arguments/optionTable';
import stringWidth from 'string-width';
import { wrappedLines, paddedTo } from './textWidth';
import { endSentence } from '../core/safety/endSentence';
import { t } from '../core/safety/localize';

const width = 98;

const exitCodeNote = t`Exit codes: 0 done, 1 failed or errors found, 2 wrong usage, 3 the job has not ended yet (fetch), 129 terminal closed, 130 cancelled.`;

export const helpText = () =>
  [
    t`Run ComfyUI workflow files and generate music from a prompt.`,
    section(
      t`Usage:`,
      table(commandEntries.map(([name, { takes, summary }]) => [words('comfy-deck', name, takes), summary])),
    ),
    section(t`Examples:`, examplesOf(commandTable.run)),
    paragraph(
      t`comfy-deck COMMAND --help shows the options of a command, with examples. comfy-deck --version prints the version.`,
    ),
    paragraph(exitCodeNote),
  ]
    .join('\n\n')
    .concat('\n');

export function commandHelp(name: CommandName): string {
  const command = commandTable[name];
  const { takes, summary, notes, after } = command;
  const options: Options = commandOptions[name];
  const rows = Object.entries(options).map(
    ([option, { value, help }]) => [words(`--${option}`, value), help.line()] as const,
  );
  const parts = [
    words('comfy-deck', name, takes, rows.length > 0 ? t`[options]` : undefined),
    endSentence(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}`),
    notes && paragraph(notes),
    rows.length > 0 ? section(t`Options:`, table(rows)) : undefined,
    after && paragraph(after),
    section(t`Examples:`, examplesOf(command)),
    paragraph(exitCodeNote),
  ];
  return `${parts.filter((each) => each !== undefined).join('\n\n')}\n`;
}

function words(...all: readonly (string | undefined)[]): string {
  return all.filter((each) => each !== undefined).join(' ');
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines].join('\n');
}

function examplesOf({ examples }: Command): string[] {
  return Object.entries(examples).flatMap(([line, what]) => [`  # ${what}`, `  ${line}`]);
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const indent = Math.max(...rows.map(([first]) => stringWidth(first))) + 4;
  return rows.flatMap(([first, second]) => {
    const [line = '', ...more] = wrapped(second, indent);
    return [paddedTo(`  ${first}`, indent) + line.trimStart(), ...more];
  });
}

function paragraph(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, 0))
    .join('\n');
}

function wrapped(text: string, indent: number): string[] {
  return wrappedLines(text, width - indent).map((each) => ' '.repeat(indent) + each);
}
