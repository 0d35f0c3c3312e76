import type { UploadKind } from '../catalog/inputSpec';
import { t } from '../safety/localize';

/** Why a file is not sent without a question that names it. */
export type UploadMark =
  /** It is outside the workflow's folder. */
  | 'outsideFolder'
  /** Its name, or that of a folder above it, starts with a dot. */
  | 'hidden'
  | 'gitIgnored'
  /** It is in a repository, and Git is not available. */
  | 'gitUnknown';

export const markWords = (): Readonly<Record<UploadMark, string>> => ({
  outsideFolder: t`outside the workflow's folder`,
  hidden: t`hidden file`,
  gitIgnored: t`ignored by Git`,
  gitUnknown: t`Git status unknown`,
});

/** A workspace file that the workflow names. Nothing is read before `bytes` is called. */
export interface LocalMedia {
  /** Identifies this file on this machine, links resolved. */
  readonly place: string;
  /** Its location, for the question whether to upload it. */
  readonly description: string;
  /** Where it is below the workspace folder or the folder of the workflow, with slashes. */
  readonly relative: string;
  /** Bytes. */
  readonly size: number;
  readonly marks: readonly UploadMark[];
  bytes(): Promise<Uint8Array>;
}

/** One file of the question whether files may be uploaded. */
export interface UploadQuestion {
  /** The name in the workflow. */
  readonly name: string;
  readonly place: string;
  readonly description: string;
  /** Bytes. */
  readonly size: number;
  /** What the inputs that name it accept. */
  readonly kinds: readonly UploadKind[];
  readonly marks: readonly UploadMark[];
}
