import { markWords, type UploadQuestion } from '../../core/runs/localMedia';
import { kindWords } from '../../core/runs/uploadKinds';
import { count } from '../../core/safety/count';
import { Shown, shown } from '../../core/safety/shownText';
import { sizeText } from '../../core/safety/sizeText';
import { ask } from '../platform/show';

/** Asks whether a page of files may be uploaded, each by its name. Apart from `Consent`, which is loaded at start. */
export async function askUpload(
  files: readonly UploadQuestion[],
  start: number,
  all: number,
  serverName: string,
  origin: string,
): Promise<boolean> {
  const part = files.length < all ? shown` (${start + 1} to ${start + files.length} of ${all})` : '';
  const names = Shown.join(files.map(fileLine), shown`\n`);
  const [what, these] =
    files.length === 1 ? [shown`It is`, shown`this file`] : [shown`They are`, shown`these files`];
  const answer = await ask(
    {
      message: shown`Upload ${count(files.length, 'file')} from this workspace to ${serverName}?${part}`,
      detail: shown`The workflow uses:\n${names}\n\n${what} sent to ${origin}. Later runs upload ${these} there without asking; you will be asked about any other file.`,
    },
    { label: shown`Upload and Run` },
  );
  return answer !== undefined;
}

function fileLine({ description, size, kinds, marks }: UploadQuestion): Shown {
  // One line each: a folder may have a line break in its name, and would look like another file.
  const name = shown`${description}`.line();
  const about = [sizeText(size), ...kinds.map((kind) => kindWords[kind])].join(', ');
  const why = marks.map((mark) => markWords[mark]).join(', ');
  const warning = why === '' ? shown`` : shown` – ${why}`;
  return shown`• ${name} (${about})${warning}`;
}
