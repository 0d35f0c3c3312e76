import * as vscode from 'vscode';
import type { FixHint } from '../../core/check/finding';
import type { ExactValue } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import { type ChooseFile, serverFiles } from '../../core/language/edits/fixes';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { workspaceEdit, rangeIn } from '../platform/editorRanges';
import { pickOne } from '../platform/show';
import { pickMedia } from '../runs/placeMedia';
import type { Checks } from './checks';

/** Replaces an unknown value, or the name of a missing file by one that a run would upload or the server has. */
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
  await vscode.workspace.applyEdit(workspaceEdit(document, [{ offset: start, length, newText: text }]));
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
  const chosen = await pickMedia({
    workflow: document.uri,
    kind: fix.upload,
    remote: serverFiles(fix, definitions.rules.catalog),
    server: definitions.state.server?.name,
    title: shown`Replace ${fix.fileName}`,
    canBrowse: false,
  });
  return typeof chosen === 'string' ? JSON.stringify(chosen) : undefined;
}

type ChooseOption = Extract<FixHint, { readonly kind: 'replaceText' }> & {
  readonly choices: readonly ExactValue[];
};

function isChoice(fix: FixHint | undefined): fix is ChooseFile | ChooseOption {
  return fix?.kind === 'chooseFile' || (fix?.kind === 'replaceText' && fix.choices !== undefined);
}
