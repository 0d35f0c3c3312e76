import type { PackCard } from './packCard';
import { t } from '../safety/localize';

/** `provides`: the registry or the file says so; `maybe`: a search result. ComfyUI's own node types are in no pack. */
export type PackAnswer =
  | { readonly kind: 'found'; readonly how: 'provides' | 'maybe'; readonly card: PackCard }
  | { readonly kind: 'core' }
  | { readonly kind: 'none' };

export interface UnknownClass {
  readonly classType: string;
  readonly pack?: string | undefined;
  readonly repository?: string | undefined;
}

/** ComfyUI's own node types, as far as known: the registry is not asked about them (protocol 6.2). */
export interface CoreClasses {
  /** Uses what has been read so far, without waiting. */
  knows(classType: string): boolean;
  has(classType: string): Promise<boolean>;
}

const editorTypes = new Set(['Reroute', 'Note', 'MarkdownNote', 'PrimitiveNode']);
const subgraphId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const longestName = 200;

/** Node types that the ComfyUI editor handles itself: no pack provides them (protocol 6.2). */
export function isEditorOnly(classType: string): boolean {
  return editorTypes.has(classType) || /^workflow[/>]/.test(classType) || subgraphId.test(classType);
}

/** Whether a name can be one segment of an address: a name of dots alone would lead out of it. */
export function isAskable(name: string): boolean {
  return name.trim() !== '' && name.length <= longestName && !/^\.{1,2}$/.test(name) && isEncodable(name);
}

/** An address cannot contain half a surrogate pair. */
function isEncodable(name: string): boolean {
  try {
    encodeURIComponent(name);
    return true;
  } catch {
    return false;
  }
}

export interface PackFix {
  readonly title: string;
  readonly request:
    | { readonly kind: 'showPack'; readonly packId: string }
    | { readonly kind: 'findPack'; readonly classType: string; readonly pack?: string | undefined }
    | { readonly kind: 'searchPacks'; readonly words: string };
}

/** `known` is what needs no request, since a menu must not wait. Undefined for ComfyUI's own node types. */
export function packFix(classType: string, known?: PackAnswer, pack?: string): PackFix | undefined {
  if (known?.kind === 'core') return undefined;
  if (known?.kind === 'found') {
    const { id, name, warnings } = known.card;
    const isSure = known.how === 'provides';
    const show = isSure ? t`Show the Node Pack “${name}”` : t`Show “${name}”, Possibly Its Node Pack`;
    const title = warnings.length > 0 ? t`${show} (Flagged by the Registry)` : show;
    return { title, request: { kind: 'showPack', packId: id } };
  }
  if (known?.kind === 'none') {
    return { title: t`Find Node Pack…`, request: { kind: 'searchPacks', words: classType } };
  }
  return { title: t`Find the Node Pack of “${classType}”`, request: { kind: 'findPack', classType, pack } };
}
