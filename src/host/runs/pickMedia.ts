import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { defined } from '../platform/defined';
import { type ListRow, pickOne } from '../platform/show';
import { UserProblem } from '../platform/problems';
import { listLocalMedia, localPictureOf } from './findLocalMedia';

interface Row extends ListRow {
  readonly name?: string;
  readonly isOther?: true;
}

export interface MediaQuestion {
  readonly workflow: vscode.Uri;
  readonly kind: UploadKind;
  /** What the server lists. */
  readonly remote: readonly string[];
  readonly server: string | undefined;
  readonly title: Shown;
  /** A file of elsewhere may be chosen, too. */
  readonly canBrowse: boolean;
}

/** Lets the user select a file: one that a run would upload, one on the server, or one of elsewhere by its address. */
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
  // No link leads to one of elsewhere.
  const found = [...local.keys()].map(async (name) => [name, await localPictureOf(workflow, name)] as const);
  const pictures = new Map(kind === 'image' ? await Promise.all(found) : []);
  const browse: Row = { label: shown`Browse…`, isOther: true, alwaysShow: true };
  const chosen = await pickOne<Row>(
    [
      ...section(
        shown`In the workspace`,
        [...local].map(([name, place]) => ({
          ...row(name, shown`${vscode.workspace.asRelativePath(place)}`),
          ...defined({ thumbnail: pictures.get(name) }),
        })),
      ),
      ...section(
        shown`On ${server}`,
        remote.map((name) => row(name)),
      ),
      ...(canBrowse ? [browse] : []),
    ],
    { title, placeHolder: shown`Select a file`, matchOnDescription: true },
  );
  if (chosen?.isOther !== true) return chosen?.name;
  const [file] = (await vscode.window.showOpenDialog({ openLabel: t`Select` })) ?? [];
  return file;
}

function section(title: Shown, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ label: title, isSeparator: true }, ...rows];
}

function row(name: string, description?: Shown): Row {
  return { name, label: shown`${name}`, description };
}
