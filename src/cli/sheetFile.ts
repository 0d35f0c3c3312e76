import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BatchProblem } from '../core/batch/batchProblem';
import { recordedRows, type BatchRow } from '../core/batch/batchRow';
import type { StartedBatch } from '../core/batch/startedBatch';
import { contactSheet, fileLinks } from '../core/batch/contactSheet';
import type { NodeFolder } from '../core/outputs/nodeFolder';
import { rowTrouble } from '../core/records/runWords';
import { isOwed } from '../core/records/runRecord';
import { errorCode } from '../core/safety/errorWords';
import type { Secrets } from '../core/safety/secrets';
import { t } from '../core/safety/localize';
import { rowStateWords } from './batchReport';
import { plainTerminalLine } from './terminal';
import { writeText } from '../core/outputs/changeFile';

/** Creates the folder of the sheet only. @throws BatchProblem if the sheet couldn't be written */
export async function checkSheet(sheet: string): Promise<void> {
  const parent = path.dirname(sheet);
  try {
    await mkdir(parent, { recursive: true });
    const isFile = await stat(sheet).then(
      (status) => status.isFile(),
      (error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        return undefined;
      },
    );
    if (isFile !== false) {
      await access(isFile ? sheet : parent, constants.W_OK);
      return;
    }
  } catch {
    // Whatever it is, another file is the way out.
  }
  throw new BatchProblem(
    t`The sheet ${plainTerminalLine(sheet)} can't be written.`,
    t`Specify another file with --sheet.`,
  );
}

/** Links are relative to the sheet. */
export async function writeSheet(
  sheet: string,
  batch: StartedBatch,
  folder: NodeFolder,
  rows: readonly BatchRow[],
  secrets: Secrets,
): Promise<void> {
  const recorded = await recordedRows(folder, batch);
  const from = path.dirname(path.resolve(sheet));
  const text = contactSheet(batch.label, batch.axes, (index) => {
    const record = recorded.get(index)?.record;
    const { state = 'waiting', message } = rows[index] ?? {};
    const why = message ?? (record && rowTrouble(record)) ?? rowStateWords[state];
    return {
      files: fileLinks(from, folder, record),
      message: record && isOwed(record) ? t`not saved yet` : secrets.hide(why),
    };
  });
  await writeText(sheet, text);
}
