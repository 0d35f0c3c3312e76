import { markWords, type UploadQuestion } from '../../core/runs/localFile';
import { kindWords } from '../../core/runs/uploadKinds';
import { listText, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { sizeText } from '../../core/safety/sizeText';
import { askToGoOn } from '../platform/show';

/** Asks whether a page of files may be uploaded, listing each. Separate from `Consent`, which is loaded at startup. */
export function askUpload(
  files: readonly UploadQuestion[],
  start: number,
  all: number,
  serverName: string,
  origin: string,
): Promise<boolean> {
  const page = `${start + 1}–${start + files.length}`;
  const part = files.length < all ? shown`(${t`${page} of ${all}`})` : undefined;
  const names = Shown.join(files.map(fileLine), shown`\n`);
  const question = shown`Upload files from this workspace to ${serverName}?`;
  return askToGoOn({
    message: Shown.join([question, part]),
    detail: shown`The workflow uses:
${names}

The upload goes to ${origin}. You won't be asked about the same files again for this server.`,
    goOn: shown`Upload and Run`,
  });
}

function fileLine({ description, size, kinds, marks }: UploadQuestion): Shown {
  const name = shown`${description}`.line();
  const about = listText([sizeText(size), ...kinds.map((kind) => kindWords()[kind])]);
  const why = listText(marks.map((mark) => markWords()[mark]));
  const warning = why === '' ? shown`` : shown` – ${why}`;
  return shown`• ${name} (${about})${warning}`;
}
