import type { JsonObject } from '../json/node';
import { objectMember, textMember } from './graph/members';
import type { PromptNode } from './prompt';

/** The origin of a node, as the editor notes it in the `properties` of a graph's node and in `_meta` of a prompt's. */
export interface PackIdentity {
  readonly cnr_id?: string;
  readonly aux_id?: string;
  /** The version it was saved with: a semantic version, a commit, or `unknown`. */
  readonly ver?: string;
}

/** The ID of ComfyUI itself, which is no pack to install. */
export const coreId = 'comfy-core';

/** As the editor writes it into a prompt: only members that are well formed, in this order (workflows 1.1). */
export function packIdentity(holder: JsonObject | undefined): PackIdentity {
  const [id = '', repository = '', version = ''] = ['cnr_id', 'aux_id', 'ver'].map((name) =>
    textMember(holder, name),
  );
  return {
    ...(packName.test(id) && { cnr_id: id }),
    ...(repositoryName.test(repository) && { aux_id: repository }),
    ...(versionName.test(version) && { ver: version.replace(/^v/, '') }),
  };
}

export function promptNodeIdentity({ node }: PromptNode): PackIdentity {
  return node.kind === 'object' ? packIdentity(objectMember(node, '_meta')) : {};
}

const packName = /^(?=.{1,100}$)[a-z\d](?:[\w.-]*[a-z\d])?$/i;

const repositoryName = /^(?=[^/]{1,39}\/.{1,100}$)[a-z\d]+(?:-[a-z\d]+)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/** `unknown`, a commit, or a semantic version, whose pre-release part the editor knows in lower case only. */
const versionName =
  /^(?:unknown|v?[\dA-Fa-f]{4,40}|v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?)$/;
