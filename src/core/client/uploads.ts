export interface ImageUpload {
  readonly filename: string;
  readonly bytes: Uint8Array;
  readonly mime?: string | undefined;
  readonly subfolder?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

export interface MaskUpload extends ImageUpload {
  readonly original: { readonly filename: string; readonly subfolder?: string; readonly type?: string };
}
