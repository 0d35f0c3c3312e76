import { startOfSentence } from '../safety/endSentence';
import { t } from '../safety/localize';

/** How severe a finding is, most severe first; `hint` is a mark in the text and no line in a list of problems. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

interface CodeRow {
  /** The severity, unless the settings or the node's position change it. */
  readonly severity: Severity;
  readonly title: () => string;
}

/**
 * Every code a finding can have. An error is what the server rejects, or accepts and then fails on; a warning is what
 * it silently drops, ignores or misreads. Codes are stable, because settings and people refer to them.
 */
const table = {
  // The shape of the file.
  'not-a-workflow': row('error', () => t`No workflow in the file`),
  'json-syntax': row('error', () => t`Invalid JSON`),
  'duplicate-node': row('warning', () => t`Duplicate node ID`),
  'duplicate-input': row('warning', () => t`Duplicate input`),
  'non-finite-number': row('warning', () => t`NaN or Infinity`),
  'wrapped-workflow': row('hint', () => t`Workflow inside a request or result`),
  'too-large-to-check': row('warning', () => t`Too large to check`),
  'more-findings': row('information', () => t`More problems than shown`),
  'not-a-node': row('error', () => t`Entry is not a node`),
  'class-type-missing': row('error', () => t`Missing class_type`),
  'class-type-not-text': row('error', () => t`class_type is not a string`),
  'inputs-missing': row('error', () => t`Missing inputs`),
  'inputs-not-an-object': row('error', () => t`inputs is not an object`),
  'meta-not-an-object': row('error', () => t`_meta is not an object`),
  'no-output-node': row('error', () => t`No output node`),

  // Node types and values.
  'unknown-class': row('error', () => startOfSentence(t`unknown node type`)),
  'replaced-class': row('warning', () => t`Replaced node type`),
  'replacement-needs-meta': row('error', () => t`Replaced node type without _meta`),
  'missing-input': row('error', () => t`Missing required input`),
  'value-type': row('error', () => t`Wrong value type`),
  'below-minimum': row('error', () => t`Below the minimum`),
  'above-maximum': row('error', () => t`Above the maximum`),
  'option-unknown': row('error', () => t`Value not in list`),
  'option-spelling': row('error', () => t`Different spelling on the server`),
  'option-in-other-folder': row('error', () => t`File in another folder`),
  'file-not-on-server': row('warning', () => t`File not on the server yet`),
  'file-outside-workspace': row('error', () => t`File outside the workspace`),
  'group-size': row('error', () => t`Too few or too many rows`),
  'class-check': row('error', () => t`Rejected by the node`),
  'server-exception': row('error', () => t`Server error during validation`),
  'server-crash': row('error', () => t`File causes a server error`),
  'output-dropped': row('warning', () => t`Output won't run`),

  // Links.
  'link-shape': row('error', () => t`List is not a link`),
  'link-to-missing-node': row('error', () => t`Link to a missing node`),
  'link-id-not-text': row('error', () => t`Node ID in a link is not a string`),
  'link-slot': row('error', () => t`No such output slot`),
  'link-slot-not-integer': row('error', () => t`Slot is not an integer`),
  'link-slot-negative': row('warning', () => t`Negative slot`),
  'link-type': row('error', () => t`Incompatible types`),
  cycle: row('error', () => t`Cycle`),
  loop: row('error', () => t`Broken loop`),

  // Accepted by the server, but fails when it runs.
  'undeclared-link': row('error', () => t`Link to an unknown input`),
  'undeclared-link-to-missing-node': row('error', () => t`Link that stops the server`),
  'undeclared-link-slot': row('error', () => t`Unknown input linked to a missing slot`),
  'undeclared-link-cycle': row('error', () => t`Cycle through an unknown input`),
  'literal-on-socket': row('warning', () => t`Value instead of a link`),
  'dynamic-key-missing': row('error', () => t`Missing option that determines the inputs`),
  'dynamic-key-unknown': row('error', () => t`Unknown option that determines the inputs`),

  // Accepted by the server, but not what was meant.
  'input-of-other-option': row('warning', () => t`Input of an option not selected`),
  'unknown-input': row('warning', () => t`Unknown input`),
  'growing-input-name': row('warning', () => t`Wrong name in an expandable list of inputs`),
  'text-for-boolean': row('warning', () => t`String used as a Boolean`),
  'text-not-replaced': row('warning', () => t`Replaced only in the ComfyUI editor`),
  placeholder: row('hint', () => t`Placeholder without a value`),
  'value-not-text': row('warning', () => t`Value is not a string`),
  'fraction-cut': row('information', () => t`Fraction is dropped`),
  'off-step': row('hint', () => t`Value between two steps`),
  'unused-node': row('hint', () => t`Unused node`),
  'deprecated-class': row('hint', () => t`Deprecated node type`),
  'experimental-class': row('hint', () => t`Experimental node type`),
  'paid-class': row('information', () => t`Paid node type`),

  // Graph files.
  'graph-not-convertible': row('error', () => t`Workflow can't be converted to API format`),
  'graph-conversion': row('warning', () => t`Lost when converted to API format`),
  'links-differ': row('warning', () => t`Use Everywhere links differ from the saved ones`),
  'dangling-link': row('warning', () => t`Dangling link`),
  'stale-subgraph-slot': row('warning', () => t`Slot removed from the subgraph`),
  'link-table': row('warning', () => t`Links and slots disagree`),
  'widget-count': row('hint', () => t`Widget without a value or default`),
  'value-not-checked': row('hint', () => t`Value of a widget that only a node pack knows`),
  'widget-shifted': row('warning', () => t`Shifted widget values`),
  'widget-names': row('warning', () => t`Widget values don't match those by name`),
  'inactive-subgraph-runs': row('warning', () => t`Muted subgraph still runs`),
  'idle-primitive': row('warning', () => t`Primitive without effect`),
  'muted-source': row('warning', () => t`Required input comes from a muted node`),
  'bypass-without-match': row('warning', () => t`Bypassed node has nothing to pass on`),
  'unknown-virtual-node': row('warning', () => t`Node may exist only in the ComfyUI editor`),
  'model-not-on-server': row('warning', () => t`Model not on the server`),

  // What the ComfyUI editor does to the file.
  'editor-link-counter': row('warning', () => t`ComfyUI editor overwrites links`),
  'editor-link-objects': row('warning', () => t`ComfyUI editor loses the links`),
  'editor-null-entry': row('warning', () => t`ComfyUI editor can't open the file`),
  'editor-values-by-name': row('warning', () => t`ComfyUI editor loses the widget values`),
  'editor-other-values': row('warning', () => t`The editor reads different values`),

  // Reported by runs.
  'server-rejection': row('error', () => startOfSentence(t`rejected by the server`)),
  'execution-error': row('error', () => t`Failed while running`),
} as const satisfies Record<string, CodeRow>;

export type CheckCode = keyof typeof table;

export const codes = Object.keys(table) as readonly CheckCode[];

/** Problems of a value by the definition of its input. */
export const valueCodes = [
  'value-type',
  'below-minimum',
  'above-maximum',
  'option-unknown',
  'option-spelling',
  'option-in-other-folder',
  'text-for-boolean',
  'fraction-cut',
] as const satisfies readonly CheckCode[];

export function codeSeverity(code: CheckCode): Severity {
  return table[code].severity;
}

const loudness: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** Sorts the higher of two severities first. */
export function byLoudness(a: Severity, b: Severity): number {
  return loudness.indexOf(a) - loudness.indexOf(b);
}

export function codeTitle(code: CheckCode): string {
  return table[code].title();
}

export function isCheckCode(text: string): text is CheckCode {
  return Object.hasOwn(table, text);
}

function row(severity: Severity, title: () => string): CodeRow {
  return { severity, title };
}
