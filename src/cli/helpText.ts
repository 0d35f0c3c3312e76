import type { CommandName } from './commandNames';
import { type Command, commandEntries, commandTable } from './commandTable';
import { commandOptions, type Option, type Options } from './arguments/optionTable';
import { wrappedLines, paddedTo, terminalWidth } from './textWidth';
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
    wrapped(
      t`comfy-deck COMMAND --help shows the options of a command, with examples. comfy-deck --version prints the version.`,
      0,
    ).join('\n'),
    wrapped(exitCodeNote, 0).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');

export function commandHelp(name: CommandName): string {
  const command = commandTable[name];
  const { takes, summary, notes, after } = command;
  const options: Options = commandOptions[name];
  const rows = Object.entries(options).map(
    ([option, each]) => [optionText(option, each), each.help.line()] as const,
  );
  const parts = [
    words('comfy-deck', name, takes, rows.length > 0 ? t`[options]` : undefined),
    endSentence(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}`),
    ...(notes === undefined ? [] : [wrapped(notes, 0).join('\n')]),
    ...(rows.length > 0 ? [section(t`Options:`, table(rows))] : []),
    ...(after === undefined ? [] : [after.split('\n').flatMap(fitting).join('\n')]),
    section(t`Examples:`, examplesOf(command)),
    wrapped(exitCodeNote, 0).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function optionText(name: string, { value }: Option): string {
  return words(`--${name}`, value);
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
  const indent = Math.max(...rows.map(([first]) => terminalWidth(first))) + 4;
  return rows.flatMap(([first, second]) => {
    const [line = '', ...more] = wrapped(second, indent);
    return [paddedTo(`  ${first}`, indent) + line.trimStart(), ...more];
  });
}

function fitting(line: string): string[] {
  return terminalWidth(line) > width ? wrapped(line, 0) : [line];
}

function wrapped(text: string, indent: number): string[] {
  return wrappedLines(text, width - indent).map((each) => ' '.repeat(indent) + each);
}
