/** The three storage areas of a server (protocol 1.7); an open set, so any other text is allowed. */
export type FileArea = 'output' | 'input' | 'temp' | (string & {});

export type MediaKind = 'image' | 'video' | 'audio' | 'model3d' | 'text' | 'other';

/** One file that a node of a run produced, named as the server's view endpoint expects it (protocol 3.5). */
export interface OutputFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly area: FileArea;
  /** Id of the executed node; for an expanded node, `displayNodeId` is the id in the file. */
  readonly nodeId: string;
  /** Only if it differs from `nodeId`. */
  readonly displayNodeId?: string | undefined;
  readonly media: MediaKind;
  readonly displayName?: string | undefined;
}

/** Text that a node showed (PreviewAny and the like): not a file. */
export interface OutputText {
  readonly nodeId: string;
  /** Only if it differs from `nodeId`. */
  readonly displayNodeId?: string | undefined;
  readonly text: string;
}
