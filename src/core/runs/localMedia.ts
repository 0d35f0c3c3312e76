import type { UploadKind } from '../catalog/inputSpec';
import { t } from '../safety/localize';

/** Why a file is not sent without a question that names it. */
export type UploadMark =
  | 'outsideFolder'
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

/** Nothing is read before `bytes` is called. */
export interface LocalMedia {
  readonly place: string;
  readonly description: string;
  readonly relative: string;
  /** Bytes. */
  readonly size: number;
  readonly marks: readonly UploadMark[];
  bytes(): Promise<Uint8Array>;
}

export interface UploadQuestion {
  readonly name: string;
  readonly place: string;
  readonly description: string;
  /** Bytes. */
  readonly size: number;
  readonly kinds: readonly UploadKind[];
  readonly marks: readonly UploadMark[];
}
