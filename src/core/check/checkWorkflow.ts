import type { Catalog } from '../catalog/catalog';
import type { JsonDocument } from '../json/tree';
import type { WorkflowFormat } from '../workflow/format';
import type { CheckCode, Severity } from './codes';
import type { Finding } from './finding';
import type { NodeReplacements } from './replacements';
import type { NodeValidators } from './validators';
import type { Verdict } from './verdict';

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
  /** Asked at every node; what it throws ends the check. */
  readonly signal?: Pick<AbortSignal, 'throwIfAborted'> | undefined;
}

export interface CheckReport {
  readonly format: WorkflowFormat['kind'];
  /** In the order of the text, at most {@link maxFindings}; the gravest are kept. */
  readonly findings: readonly Finding[];
  /** How many findings were left out. */
  readonly omitted: number;
  /** Absent where nothing could be predicted: no definitions, or no prompt. */
  readonly verdict?: Verdict;
  readonly checked: 'full' | 'structure';
}

/** More findings in one file help nobody. */
export const maxFindings = 500;
