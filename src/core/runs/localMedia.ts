import type { UploadKind } from '../catalog/inputSpec';
import { t } from '../safety/localize';

/** Why a file is not sent without being asked about by name. */
export type UploadMark =
  /** It lies outside the folder of the workflow. */
  | 'outsideFolder'
  /** Its name, or that of a folder around it, begins with a dot. */
  | 'hidden'
  | 'gitIgnored'
  /** It lies in a repository, and Git could not be asked. */
  | 'gitUnknown';

export const markWords: Readonly<Record<UploadMark, string>> = {
  outsideFolder: t`outside the workflow's folder`,
  hidden: t`hidden file`,
  gitIgnored: t`ignored by Git`,
  gitUnknown: t`Git status unknown`,
};

/** A file that the workflow names and that lies in the workspace. Nothing of it is read before `bytes` is called. */
export interface LocalMedia {
  /** Tells this file from all others on this machine, links followed. */
  readonly place: string;
  /** Where it lies, for the question whether it may be uploaded. */
  readonly description: string;
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
  /** What the inputs that name it take. */
  readonly kinds: readonly UploadKind[];
  readonly marks: readonly UploadMark[];
}
