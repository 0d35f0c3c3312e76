import { coreId, type PackIdentity } from '../workflow/packIdentity';

export interface NodeOrigin {
  readonly pack?: string | undefined;
  readonly isCore: boolean;
  /** The version of the pack, or of ComfyUI, that the node was saved with. */
  readonly version?: string | undefined;
  /** Whether the editor treated the node as one that a server runs. */
  readonly wasOnServer: boolean;
  /** For a group node: the missing types inside it. */
  readonly inside?:
    | { readonly group: string; readonly types: readonly (NodeOrigin & { readonly classType: string })[] }
    | undefined;
}

export function originFrom(
  { cnr_id: id, aux_id: repository, ver: version }: PackIdentity,
  wasOnServer: boolean,
): NodeOrigin {
  const isCore = id === coreId;
  return { pack: isCore ? repository : (id ?? repository), isCore, version, wasOnServer };
}
