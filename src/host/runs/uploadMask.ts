import * as vscode from 'vscode';
import { imageInputs, type ImageInput } from '../../core/language/navigation/imageInputs';
import { workflowIn } from '../platform/readWorkflow';
import {
  MaskProblem,
  type PictureFile,
  serverPicture,
  type ServerPicture,
  uploadMaskFor,
} from '../../core/runs/maskUpload';
import type { RunSession } from '../../core/runLife/runSession';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { activeDocument, activeOffset } from '../platform/activeDocument';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import { pickOne, showCancellable, showInformation } from '../platform/show';
import { readySession } from '../servers/serverPicks';
import type { Servers } from '../servers/servers';
import { findLocalMedia } from './findLocalMedia';
import { uriName, noWorkflowOpen } from '../platform/workflowSource';

const filters = () => ({ [t`Images`]: ['png', 'webp', 'jpg', 'jpeg', 'gif', 'bmp', 'tif', 'tiff'] });

/** Uploads a picture with its mask after asking, and sets the input at an offset or the cursor to the server's name. */
export async function uploadMaskInto(servers: Servers, uri?: vscode.Uri, offset?: number): Promise<void> {
  requireTrust();
  const document = uri ? await vscode.workspace.openTextDocument(uri) : activeDocument();
  if (!document) throw noWorkflowOpen();
  const session = await readySession(servers);
  if (!session) return;
  const input = await inputOf(document, offset, session);
  if (!input) return;
  const picture = await pictureFor(document, input);
  const mask =
    picture && (await chosenFile(t`Select the mask image (its transparent areas become the mask)`));
  if (!mask) return;
  // A cloud names files by content, so there is nothing to replace.
  const overwrite = servers.current()?.kind === 'cloud' ? false : await askOverwrite();
  if (overwrite === undefined) return;
  const title = shown`Uploading the mask to ${session.server.name}`;
  const value = await showCancellable(title, (signal) =>
    uploadMaskFor(session.client, { picture, mask, overwrite }, signal).catch((error: unknown) => {
      if (!(error instanceof MaskProblem)) throw error;
      throw new UserProblem(shown`${error.message}`, shown`${error.nextAction}`);
    }),
  );
  await writeValue(document, input, value);
  void showInformation(shown`Uploaded the masked image as ${value} to ${session.server.name}.`);
}

async function inputOf(
  document: vscode.TextDocument,
  place: number | undefined,
  session: RunSession,
): Promise<ImageInput | undefined> {
  const { catalog } = await session.serverDefinitions();
  const inputs = imageInputs(workflowIn(document), catalog);
  const offset = place ?? (activeDocument() === document ? activeOffset() : undefined) ?? -1;
  const here = inputs.find((each) => offset >= each.offset - 1 && offset <= each.offset + each.length + 1);
  if (here) return here;
  if (inputs.length === 0) {
    throw new UserProblem(
      shown`${uriName(document.uri)} has no image input.`,
      shown`Place the cursor on an image input, such as that of Load Image.`,
    );
  }
  if (inputs.length === 1) return inputs[0];
  const rows = inputs.map((each) => ({
    label: shown`${each.fileName}`,
    description: shown`line ${document.positionAt(each.offset).line + 1}`,
    input: each,
  }));
  const picked = await pickOne(rows, {
    title: shown`Upload Mask`,
    placeHolder: shown`Select the image input to mask`,
  });
  return picked?.input;
}

async function pictureFor(
  document: vscode.TextDocument,
  { fileName, folder }: ImageInput,
): Promise<PictureFile | ServerPicture | undefined> {
  const local = folder === 'input' ? await findLocalMedia(document.uri, fileName) : undefined;
  const rows = [
    {
      label: shown`$(file-media) ${fileName}`,
      description: local ? shown`in this workspace` : shown`on the server`,
      isOther: false,
    },
    { label: shown`$(folder-opened) ${t`Browse…`}`, isOther: true },
  ];
  const picked = await pickOne(rows, {
    title: shown`Upload Mask`,
    placeHolder: shown`Select the image to mask`,
  });
  if (!picked) return undefined;
  if (picked.isOther) return chosenFile(t`Select the image to mask`);
  if (!local) return serverPicture(fileName, folder);
  return { name: fileName.split(/[/\\]/).at(-1) ?? fileName, bytes: await local.bytes() };
}

async function chosenFile(title: string): Promise<PictureFile | undefined> {
  const uri = (await vscode.window.showOpenDialog({ title, openLabel: t`Select`, filters: filters() }))?.[0];
  return uri && { name: uriName(uri), bytes: await vscode.workspace.fs.readFile(uri) };
}

async function askOverwrite(): Promise<boolean | undefined> {
  const rows = [
    {
      label: shown`Keep Both`,
      detail: shown`Existing files stay, and new ones get a number.`,
      overwrite: false,
    },
    { label: shown`Replace`, detail: shown`Existing files on the server are overwritten.`, overwrite: true },
  ];
  const picked = await pickOne(rows, {
    title: shown`Upload Mask`,
    placeHolder: shown`Select what to do if these files already exist on the server`,
  });
  return picked?.overwrite;
}

async function writeValue(document: vscode.TextDocument, input: ImageInput, value: string): Promise<void> {
  const { offset, length, text } = input;
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const isThere = document.getText(range) === text;
  const edit = new vscode.WorkspaceEdit();
  if (isThere) edit.replace(document.uri, range, JSON.stringify(value).slice(1, -1));
  if (isThere && (await vscode.workspace.applyEdit(edit))) return;
  throw new UserProblem(
    shown`The file changed during the upload, so its input still refers to ${input.fileName}.`,
    shown`Set the input to ${value} yourself.`,
  );
}
