import type { NodeReplacements } from '../catalog/nodeReplacements';
import { t } from '../safety/localize';
import { coreId, type PackIdentity } from '../workflow/packIdentity';
import { isNewer } from './serverVersion';

/** What a file says about where a node comes from. */
export interface NodeOrigin {
  /** The pack that the editor noted in the node, by ID or else by repository. */
  readonly pack?: string | undefined;
  /** The node is part of ComfyUI. */
  readonly isCore: boolean;
  /** The version of the pack, or of ComfyUI, that the node was saved with. */
  readonly version?: string | undefined;
  /** Whether the editor treated the node as one that a server runs. */
  readonly wasOnServer: boolean;
  /** For a group node: the missing types inside it. */
  readonly inside?: { readonly group: string; readonly types: readonly InnerType[] } | undefined;
}

export interface InnerType extends NodeOrigin {
  readonly classType: string;
}

/** What is known about the server that lacks a node type. */
export interface KnownServer {
  readonly serverVersion?: string | undefined;
  readonly replacements?: NodeReplacements | undefined;
}

/** The origin that a node's identity tells. */
export function originFrom(
  { cnr_id: id, aux_id: repository, ver: version }: PackIdentity,
  wasOnServer: boolean,
): NodeOrigin {
  const isCore = id === coreId;
  return { pack: isCore ? repository : (id ?? repository), isCore, version, wasOnServer };
}

/**
 * Why a server lacks a node type, and what to do: it is too old for it, or has a replacement for it that it lacks, too.
 * Undefined if neither is known.
 */
export function lackOf(
  classType: string,
  { isCore, version }: Pick<NodeOrigin, 'isCore' | 'version'>,
  { serverVersion, replacements }: KnownServer,
): string | undefined {
  const name = quotedClass(classType);
  if (isCore && version !== undefined && serverVersion !== undefined && isNewer(version, serverVersion)) {
    return t`${name} is part of ComfyUI. This file was saved with ${version}; this server runs ${serverVersion} and doesn't have it. Update the server.`;
  }
  const replacement = replacements?.get(classType)?.newClassType;
  return replacement === undefined
    ? undefined
    : t`${name} was replaced by ${replacement}, and this server has neither. Update the server, or use another node type.`;
}

/** A node type in a message, with quotes if it begins or ends with a space. */
export function quotedClass(classType: string): string {
  return classType === classType.trim() ? classType : JSON.stringify(classType);
}
