import type { Catalog } from '../catalog/catalog';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import type { CheckCode, Severity } from './codes';
import type { IsLocal } from './rule';
import type { NodeOrigin } from './nodeOrigin';
import type { AliasSource } from './similarNames';
import type { NodeValidators } from './validators';

export interface CheckContext {
  /** The node definitions of the server; without them only the structure is checked. */
  readonly catalog?: Catalog | undefined;
  readonly validators?: NodeValidators | undefined;
  readonly replacements?: NodeReplacements | undefined;
  readonly serverVersion?: string | undefined;
  /** How messages name the server; "the server" by default. */
  readonly serverName?: string | undefined;
  /** Other severities than those of the table; `off` leaves a code out. */
  readonly severities?: Readonly<Partial<Record<CheckCode, Severity | 'off'>>> | undefined;
  readonly suppressed?: ReadonlySet<CheckCode> | undefined;
  /** Other names of node types, for suggestions. Building them takes longer than a check. */
  readonly aliases?: AliasSource | undefined;
  readonly originOf?: ((nodeId: string) => NodeOrigin) | undefined;
  readonly isLocal?: IsLocal | undefined;
  readonly isSandbox?: boolean | undefined;
  /** The only output nodes to run; empty or absent: all. */
  readonly targets?: readonly string[] | undefined;
  /** A run checks files of any size, keeps all findings, and gives nodes the titles that the run adds. */
  readonly isForRun?: boolean | undefined;
  /** Called for every node; what it throws ends the check. */
  readonly signal?: Pick<AbortSignal, 'throwIfAborted'> | undefined;
}
