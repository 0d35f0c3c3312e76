import { markWords, type UploadQuestion } from '../core/runs/localMedia';
import { t } from '../core/safety/localize';
import { plainText } from './terminal';

/** Files of this machine that would be sent, whether they are, and where to. */
export interface UploadsEvent {
  readonly event: 'uploads';
  /** The address they go to. */
  readonly server: string;
  /** False: none of them is sent, and the run ends. */
  readonly allowed: boolean;
  readonly files: readonly {
    /** Relative to the folder of the workflow, or to the working folder. */
    readonly path: string;
    readonly bytes: number;
    /** The kind of file the inputs accept: `image`, `video`, `audio`, `mesh` or `file`. */
    readonly kinds: readonly string[];
    /** Why --upload yes is needed: `outsideFolder`, `hidden`, `gitIgnored` or `gitUnknown`. */
    readonly marks: readonly string[];
  }[];
}

export function uploadsEvent(
  files: readonly UploadQuestion[],
  server: string,
  allowed: boolean,
): UploadsEvent {
  return {
    event: 'uploads',
    server,
    allowed,
    files: files.map(({ description: path, size: bytes, kinds, marks }) => ({ path, bytes, kinds, marks })),
  };
}

/** The same for a person, a line per file. */
export function uploadLines(files: readonly UploadQuestion[], server: string, allowed: boolean): string[] {
  const to = plainText(server);
  return [allowed ? t`Files to upload to ${to}:` : t`Files not uploaded to ${to}:`, ...files.map(fileLine)];
}

/** A file with its size, and why it needs a word of the person. */
export function fileLine({
  description,
  size,
  marks,
}: Pick<UploadQuestion, 'description' | 'size' | 'marks'>): string {
  const why = marks.map((mark) => `; ${markWords()[mark]}`).join('');
  return `  ${plainText(description)} (${t`${size} bytes`}${why})`;
}
