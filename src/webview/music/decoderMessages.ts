export interface DecodeRequest {
  readonly wasm: string;
  readonly file: ArrayBuffer;
  /** Length of the music, if known. */
  readonly seconds: number | undefined;
}

export type DecodeAnswer =
  | {
      readonly ok: true;
      readonly wav: ArrayBuffer;
      readonly peaks: readonly number[];
      readonly seconds: number;
    }
  | { readonly ok: false; readonly problem: string };
