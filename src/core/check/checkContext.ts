import type { Catalog } from '../catalog/catalog';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import type { CheckCode, Severity } from './codes';
import type { IsLocal } from './rule';
import type { AliasSource, NodeOrigin } from './rules/classTypes';
import type { NodeValidators } from './validators';

/** What a check knows beside the file, and how its findings are told. */
export interface CheckContext {
  /** The node definitions of the server; without them only the structure is checked. */
  readonly catalog?: Catalog | undefined;
  readonly validators?: NodeValidators | undefined;
  readonly replacements?: NodeReplacements | undefined;
  /** How messages name the server; "the server" where it is absent. */
  readonly serverName?: string | undefined;
  /** Other severities than those of the table; `off` leaves a code out. */
  readonly severities?: Readonly<Partial<Record<CheckCode, Severity | 'off'>>> | undefined;
  readonly suppressed?: ReadonlySet<CheckCode> | undefined;
  /** Other names of classes, for proposals; making them takes longer than a check, so it is asked only when needed. */
  readonly aliases?: AliasSource | undefined;
  /** Where a node of the prompt comes from, as its graph says. */
  readonly originOf?: ((nodeId: string) => NodeOrigin) | undefined;
  /** Whether a file that an input names would be found and uploaded by a run, as its name and kind stand. */
  readonly isLocal?: IsLocal | undefined;
  /** The server is the sandbox, which lacks most classes. */
  readonly isSandbox?: boolean | undefined;
  /** Output nodes that alone are to run; empty or absent: all. */
  readonly targets?: readonly string[] | undefined;
  /**
   * A run happens once, not at every keystroke: a file of any size is checked, no finding is left out of the report, and
   * nodes have the titles that the run adds.
   */
  readonly isForRun?: boolean | undefined;
  /** Asked at every node; what it throws ends the check. */
  readonly signal?: Pick<AbortSignal, 'throwIfAborted'> | undefined;
}
