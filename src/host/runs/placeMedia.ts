import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { FreeNames, safeFileName } from '../../core/outputs/outputNames';
import { isNameOfKind, isContentOfKind, kindWords } from '../../core/runs/uploadKinds';
import { startOfSentence } from '../../core/safety/endSentence';
import { shown, type Shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { tooLarge, uriName } from '../platform/workflowSource';
import { listLocalMedia, localMediaName, findLocalPicture } from './findLocalMedia';
import { readIfThere } from './sample';
import { t } from '../../core/safety/localize';
import { definedFields } from '../platform/defined';
import { type ListRow, pickOne } from '../platform/show';

/** A file that was dropped, pasted or chosen: its address, or its name and content. */
export type GivenMedia = vscode.Uri | { readonly name: string; readonly read: () => Promise<Uint8Array> };

/** Larger ones are not copied (bytes). */
const largestPlaced = 256 * 2 ** 20;

/**
 * Finds the name of a file in the workflow, and the copy beside it that must be written first. Nothing is written or sent. @returns
 * undefined outside a workspace @throws UserProblem for a file that the input doesn't take
 */
export async function placeMedia(workflow: vscode.Uri, given: GivenMedia, kind: UploadKind) {
  if (!vscode.workspace.getWorkspaceFolder(workflow)) return undefined;
  const isUri = given instanceof vscode.Uri;
  const label = isUri ? uriName(given) : given.name;
  if (!isNameOfKind(kind, label)) throw wrongKindProblem(label, kind);
  const known = isUri ? await localMediaName(workflow, given) : undefined;
  if (known !== undefined) return { name: known };
  const isLarge = isUri && (await vscode.workspace.fs.stat(given)).size > largestPlaced;
  const bytes = isLarge ? undefined : await (isUri ? vscode.workspace.fs.readFile(given) : given.read());
  if (!bytes || bytes.length > largestPlaced)
    throw tooLarge(label, shown`Copy the file into the workspace yourself, or select a smaller one.`);
  if (!isContentOfKind(kind, label, bytes)) throw wrongKindProblem(label, kind);
  const folder = vscode.Uri.joinPath(workflow, '..');
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const safe = safeFileName(label, kind);
  const same = vscode.Uri.joinPath(folder, safe);
  const present = entries.some(([name]) => name === safe) ? await readIfThere(same) : undefined;
  if (present && Buffer.from(present).equals(bytes)) return { name: safe };
  const name = new FreeNames(entries.map(([each]) => each)).take(safe);
  return { name, copy: { file: vscode.Uri.joinPath(folder, name), bytes } };
}

function wrongKindProblem(label: string, kind: UploadKind): UserProblem {
  return new UserProblem(
    shown`The input takes ${kindWords()[kind]}, but ${label} is another kind of file.`,
    shown`Choose another file.`,
  );
}

interface Row extends ListRow {
  readonly name?: string;
  readonly isOther?: true;
}

interface MediaQuestion {
  readonly workflow: vscode.Uri;
  readonly kind: UploadKind;
  readonly remote: readonly string[];
  readonly server: string | undefined;
  readonly title: Shown;
  readonly canBrowse: boolean;
}

/** Lets the user select a file that a run would upload, one on the server, or any other by its address. */
export async function pickMedia(question: MediaQuestion): Promise<string | vscode.Uri | undefined> {
  const { workflow, kind, title, canBrowse } = question;
  const server = question.server ?? t`the server`;
  const local = await listLocalMedia(workflow, kind);
  const remote = question.remote.filter((name) => !local.has(name));
  if (local.size + remote.length === 0 && !canBrowse) {
    throw new UserProblem(
      shown`Neither the workspace nor ${server} has a file for this input.`,
      shown`Put one next to the workflow, then try again.`,
    );
  }
  const found = [...local.keys()].map(
    async (name) => [name, await findLocalPicture(workflow, name)] as const,
  );
  const pictures = new Map(kind === 'image' ? await Promise.all(found) : []);
  const browse: Row = { label: shown`Browse…`, isOther: true, alwaysShow: true };
  const chosen = await pickOne<Row>(
    [
      ...mediaSection(
        shown`${startOfSentence(t`in this workspace`)}`,
        [...local].map(([name, place]) => ({
          ...{ name, label: shown`${name}`, description: shown`${vscode.workspace.asRelativePath(place)}` },
          ...definedFields({ thumbnail: pictures.get(name) }),
        })),
      ),
      ...mediaSection(
        shown`On ${server}`,
        remote.map((name) => ({ name, label: shown`${name}` })),
      ),
      ...(canBrowse ? [browse] : []),
    ],
    { title, placeHolder: shown`Select a file`, matchOnDescription: true },
  );
  if (chosen?.isOther !== true) return chosen?.name;
  return (await vscode.window.showOpenDialog({ openLabel: t`Select` }))?.[0];
}

function mediaSection(title: Shown, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ label: title, isSeparator: true }, ...rows];
}
