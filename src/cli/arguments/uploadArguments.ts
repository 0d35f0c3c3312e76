import { parseArgs } from 'node:util';
import { uploadOptions } from './optionTable';
import { keyEnvOf, serverOf } from './optionValues';
import { UsageError } from '../usageError';
import { t } from '../../core/safety/localize';

export interface UploadArguments {
  readonly command: 'upload';
  /** A picture on this machine, unless it is one of the server's. */
  readonly picture: string;
  /** Undefined: uploads the picture unchanged. */
  readonly mask?: string | undefined;
  /** The picture is already in this folder of the server. */
  readonly on?: 'input' | 'output' | 'temp' | undefined;
  readonly overwrite: boolean;
  readonly server: string;
  readonly keyEnv?: string | undefined;
  readonly json: boolean;
}

/** Reads the arguments of `upload`. */
export function readUpload(args: string[]): UploadArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: uploadOptions,
  });
  const [picture, ...more] = positionals;
  const { mask, on, overwrite, server, json, 'key-env': keyEnv } = values;
  if (picture === undefined) throw new UsageError(t`Specify the image to upload.`);
  if (more.length > 0) throw new UsageError(t`Specify only one image; pass a mask with --mask.`);
  if (server === 'sandbox')
    throw new UsageError(
      t`"sandbox" would stop as soon as the upload ends. Specify the address of a running sandbox.`,
    );
  if (on !== undefined && on !== 'input' && on !== 'output' && on !== 'temp') {
    throw new UsageError(t`--on must be input, output, or temp.`);
  }
  if (on !== undefined && mask === undefined) throw new UsageError(t`--on requires --mask.`);
  return {
    command: 'upload',
    picture,
    mask,
    on,
    overwrite,
    server: serverOf(server),
    keyEnv: keyEnvOf(keyEnv),
    json,
  };
}
