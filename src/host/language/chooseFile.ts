import * as vscode from 'vscode';
import type { FixHint } from '../../core/check/finding';
import type { ExactValue } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import { type ChooseFile, serverFiles } from '../../core/language/edits/fixes';
import { inputFolders } from '../../core/runs/localFile';
import { isNameOfKind } from '../../core/runs/uploadKinds';
import { shown, type Shown } from '../../core/safety/shownText';
import { t } from '../../core/safety/localize';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { changeOf, rangeIn } from '../platform/editorRanges';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne } from '../platform/show';
import type { Checks } from './checks';

/** Files of a folder beyond this many are a list that nobody searches. */
const mostFiles = 500;

interface Row extends ListRow {
  readonly name?: string;
}

/**
 * Lets the user replace an unknown value by another option, and the name of a missing file by one that a run would
 * upload or the server has.
 */
export async function chooseFile(
  document: vscode.TextDocument,
  offset: number,
  checks: Pick<Checks, 'findings'>,
  definitions: NodeDefinitions,
): Promise<void> {
  const fix = checks.findings(document).find((each) => each.offset === offset && isChoice(each.fix))?.fix;
  if (!isChoice(fix)) return;
  const { version } = document;
  const text = await (fix.kind === 'chooseFile'
    ? pickFile(document, fix, definitions)
    : pickOption(document, fix));
  if (text === undefined || document.version !== version) return;
  const { offset: start, length } = fix.range;
  await vscode.workspace.applyEdit(changeOf(document, [{ offset: start, length, newText: text }]));
}

/** @returns JSON text */
async function pickOption(
  document: vscode.TextDocument,
  { range, choices }: ChooseOption,
): Promise<string | undefined> {
  const now = document.getText(rangeIn(document, range));
  const rows = choices.map((each) => {
    return { label: shown`${typeof each === 'string' ? each : writeExact(each)}`, text: writeExact(each) };
  });
  const chosen = await pickOne(rows, { title: shown`Replace ${now}`, placeHolder: shown`Select an option` });
  return chosen?.text;
}

/** @returns JSON text */
async function pickFile(
  document: vscode.TextDocument,
  fix: ChooseFile,
  definitions: NodeDefinitions,
): Promise<string | undefined> {
  const local = await localFiles(document.uri, fix);
  const remote = serverFiles(fix, definitions.rules.catalog).filter((name) => !local.has(name));
  const server = definitions.state.server?.name ?? t`the server`;
  if (local.size + remote.length === 0) {
    throw new UserProblem(
      shown`Neither the workspace nor ${server} has a file for this input.`,
      shown`Put one next to the workflow, then try again.`,
    );
  }
  const chosen = await pickOne<Row>(
    [
      ...section(
        shown`In the workspace`,
        [...local].map(([name, place]) => row(name, shown`${place}`)),
      ),
      ...section(
        shown`On ${server}`,
        remote.map((name) => row(name)),
      ),
    ],
    { title: shown`Replace ${fix.fileName}`, placeHolder: shown`Select a file`, matchOnDescription: true },
  );
  return chosen?.name === undefined ? undefined : JSON.stringify(chosen.name);
}

type ChooseOption = Extract<FixHint, { readonly kind: 'replaceText' }> & {
  readonly choices: readonly ExactValue[];
};

function isChoice(fix: FixHint | undefined): fix is ChooseFile | ChooseOption {
  return fix?.kind === 'chooseFile' || (fix?.kind === 'replaceText' && fix.choices !== undefined);
}

function section(title: Shown, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ label: title, isSeparator: true }, ...rows];
}

function row(name: string, description?: Shown): Row {
  return { name, label: shown`${name}`, description };
}

/** The files from where a run uploads them, by name; their places in the workspace. */
async function localFiles(
  workflow: vscode.Uri,
  { upload }: ChooseFile,
): Promise<ReadonlyMap<string, string>> {
  const root = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  const found = new Map<string, string>();
  if (!root) return found;
  for (const top of [vscode.Uri.joinPath(workflow, '..'), root]) {
    for (const folder of inputFolders) {
      const place = vscode.Uri.joinPath(top, folder);
      const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(place)).catch(() => []);
      for (const [name, type] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (found.size >= mostFiles || found.has(name)) continue;
        if (type === vscode.FileType.File && isNameOfKind(upload, name))
          found.set(name, vscode.workspace.asRelativePath(vscode.Uri.joinPath(place, name)));
      }
    }
  }
  return found;
}
