import path from 'node:path';
import { throwJsonLimit } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { recordNamed } from '../core/records/recordFile';
import { findRun } from '../core/records/findRun';
import { type RunPage, runPage } from '../core/records/runPage';
import { t } from '../core/safety/localize';
import { CommandProblem } from './commandProblem';
import type { Arguments } from './commandArguments';
import { type CommandContext, exitCodes, jsonLine, plainTerminalLine } from './terminal';

/** `--json` prints one object: `record`, the location of the run record, and what its page shows. */
export async function showCommand(
  { file, out, json }: Arguments<'show'>,
  { terminal }: CommandContext,
): Promise<number> {
  const folder = new NodeFolder(path.dirname(file));
  const name = path.basename(file);
  const record = await recordNamed(folder, name, throwJsonLimit);
  const found = record ? { ...record, folder } : await findRun(folder, name, [new NodeFolder(out)]);
  if (!found)
    throw new CommandProblem(
      t`No run record found for ${plainTerminalLine(file)}.`,
      t`Specify a run record (.run.json) or an output, and the folder of its run record with --out.`,
    );
  const location = found.folder.location(found.name);
  const page = runPage(found.record);
  if (json) terminal.out(jsonLine({ record: location, ...page }));
  else terminal.out(`${linesOf(page, location).join('\n')}\n`);
  return exitCodes.done;
}

function linesOf(page: RunPage, location: string): string[] {
  const { title, stateText, facts, errors, warnings, files, seeds, texts, inputs } = page;
  const outputLines = files.map(({ label, size = t`not saved`, facts, node }) =>
    [label, size, facts, node].filter((each) => each !== '').join('  '),
  );
  const textLines = texts.map(({ node, text }) => `${node}: ${indented(text)}`);
  const seedLines = seeds.map(({ node, input, digits }) => `${node}, ${input}: ${digits}`);
  const inputLines = inputs.map(({ path: place, size, node }) => `${place}  ${size}  ${node}`);
  return [
    title,
    stateText,
    ...facts.map(({ name, text }) => `${name}: ${text}`),
    t`Run record: ${location}`,
    ...part(t`Errors`, errors),
    ...part(t`Warnings`, warnings),
    ...part(t`Outputs`, outputLines),
    ...part(t`Texts`, textLines),
    ...part(t`Seeds`, seedLines),
    ...part(t`Uploaded files`, inputLines),
    ...part(t`Nodes`, nodeLines(page)),
  ];
}

function nodeLines({ nodes, moreNodes, noNodes }: RunPage): string[] {
  if (noNodes !== undefined) return [noNodes];
  const lines = nodes.flatMap(({ name, type, id, time, values }) => [
    [name, name === type ? '' : type, `#${id}`, time ?? ''].filter((each) => each !== '').join('  '),
    ...values.map(
      (value) => `  ${value.name}: ${value.isLink ? t`from ${value.text}` : indented(value.text)}`,
    ),
  ]);
  if (moreNodes === 0) return lines;
  return [...lines, t`More nodes in the prompt: ${moreNodes}.`];
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n      ');
}
