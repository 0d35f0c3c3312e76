import * as vscode from 'vscode';
import { type ChooseFile, serverFiles } from '../../core/language/edits/fixes';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { changeOf } from '../platform/editorRanges';
import { pickMedia } from '../runs/pickMedia';
import type { Checks } from './checks';

/** Lets the user replace the name of a missing file: by one that a run would upload, or by one on the server. */
export async function chooseFile(
  document: vscode.TextDocument,
  offset: number,
  checks: Pick<Checks, 'findings'>,
  definitions: NodeDefinitions,
): Promise<void> {
  const fix = checks.findings(document).find((each) => each.offset === offset && isChoice(each.fix))?.fix;
  if (!isChoice(fix)) return;
  const { version } = document;
  const chosen = await pickMedia({
    workflow: document.uri,
    kind: fix.upload,
    remote: serverFiles(fix, definitions.rules.catalog),
    server: definitions.state.server?.name,
    title: shown`Replace ${fix.fileName}`,
    canBrowse: false,
  });
  if (typeof chosen !== 'string' || document.version !== version) return;
  const { offset: start, length } = fix.range;
  await vscode.workspace.applyEdit(
    changeOf(document, [{ offset: start, length, newText: JSON.stringify(chosen) }]),
  );
}

function isChoice(fix: { readonly kind: string } | undefined): fix is ChooseFile {
  return fix?.kind === 'chooseFile';
}
