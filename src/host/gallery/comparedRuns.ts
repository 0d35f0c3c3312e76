import path from 'node:path';
import * as vscode from 'vscode';
import { dayOf } from '../../core/gallery/galleryFilter';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import type { RunRecord } from '../../core/records/runRecord';
import { mediaKind } from '../../core/protocol/outputRecord';
import type { GalleryOutput } from '../../webview/contract/gallery';
import { nameOf } from '../platform/workflowSource';

/**
 * An output of each run to compare: its first picture, or else its first output that is there. A run without any is
 * listed by its record, so that its values can be compared.
 * @param address by which the page loads a file
 */
export async function outputsToCompare(
  records: readonly vscode.Uri[],
  address: (file: vscode.Uri) => string,
  serverName: (origin: string) => string,
): Promise<readonly GalleryOutput[]> {
  return Promise.all(
    records.map(async (uri, index) => {
      const folder = new NodeFolder(path.dirname(uri.fsPath));
      const record = (await recordNamed(folder, path.basename(uri.fsPath)))?.record;
      const name = record && (await shownOutput(record, folder));
      const time = Date.parse(record?.sentAt ?? record?.submittedAt ?? '') || 0;
      return {
        // Never that of a listed output.
        id: -1 - index,
        name: name ?? nameOf(uri),
        kind: name === undefined ? 'other' : mediaKind(name, undefined, ''),
        source: name === undefined ? '' : address(vscode.Uri.joinPath(uri, '..', name)),
        time,
        day: dayOf(time),
        workflow: record?.label ?? nameOf(uri),
        server: serverName(record?.server ?? ''),
        hasSeed: false,
        caption: record?.label ?? nameOf(uri),
        details: '',
      } satisfies GalleryOutput;
    }),
  );
}

async function shownOutput({ files }: RunRecord, folder: NodeFolder): Promise<string | undefined> {
  const there = new Set(await folder.list());
  const names = files.map(({ name }) => name).filter((name) => there.has(name));
  return names.find((name) => mediaKind(name, undefined, '') === 'image') ?? names[0];
}
