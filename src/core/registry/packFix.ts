import type { PackAnswer } from './packAnswer';
import { t } from '../safety/localize';

/** What a quick fix for an unknown class offers; the editor turns the request into a command. */
export interface PackFix {
  readonly title: string;
  readonly request:
    | { readonly kind: 'showPack'; readonly packId: string }
    | { readonly kind: 'findPack'; readonly classType: string; readonly pack?: string | undefined }
    | { readonly kind: 'searchPacks'; readonly words: string };
}

/**
 * The way from an unknown class to its pack. `known` is what is already known, without asking for it: a menu must not
 * wait. `pack` is the id that the workflow file itself names. Undefined for classes of ComfyUI itself.
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
