import type { PackAnswer } from './packAnswer';
import { t } from '../safety/localize';

/** The quick fix for an unknown node type; the editor turns the request into a command. */
export interface PackFix {
  readonly title: string;
  readonly request:
    | { readonly kind: 'showPack'; readonly packId: string }
    | { readonly kind: 'findPack'; readonly classType: string; readonly pack?: string | undefined }
    | { readonly kind: 'searchPacks'; readonly words: string };
}

/**
 * Finds the fix for an unknown node type. `known` is what is already known without a request: a menu must not wait.
 * `pack` is the pack ID in the workflow file. Undefined for ComfyUI's own node types.
 */
export function packFix(classType: string, known?: PackAnswer, pack?: string): PackFix | undefined {
  if (known?.kind === 'core') return undefined;
  if (known?.kind === 'found') {
    const { id, name, warnings } = known.card;
    const title = showTitle(name, known.how === 'provides', warnings.length > 0);
    return { title, request: { kind: 'showPack', packId: id } };
  }
  if (known?.kind === 'none') {
    return { title: t`Search for a Node Pack…`, request: { kind: 'searchPacks', words: classType } };
  }
  return { title: t`Find the Node Pack of “${classType}”`, request: { kind: 'findPack', classType, pack } };
}

function showTitle(name: string, isSure: boolean, isFlagged: boolean): string {
  if (isSure) {
    return isFlagged
      ? t`Show the Node Pack “${name}” (Flagged by the Registry)`
      : t`Show the Node Pack “${name}”`;
  }
  return isFlagged
    ? t`Show “${name}”, Possibly Its Node Pack (Flagged by the Registry)`
    : t`Show “${name}”, Possibly Its Node Pack`;
}
