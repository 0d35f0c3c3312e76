import type { ManagerKind } from '../sandbox/manager/sandboxManager';

/** The kinds of ComfyUI-Manager that a sandbox can have, by their names in `--manager`. */
export const sandboxManagers = [
  'v3',
  'v3-old',
  'v4',
  'v4-legacy',
  'forbidden',
  'v4-forbidden',
] as const satisfies readonly ManagerKind[];
