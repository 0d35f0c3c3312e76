/** How loud a finding is, loudest first; `hint` is a mark in the text and no line in a list of problems. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

interface CodeRow {
  /** The severity, unless the settings or the node's position change it. */
  readonly severity: Severity;
  /** A few words for a settings page or a list. */
  readonly title: string;
}

/**
 * Every code a finding can have. An error is what the server rejects, or accepts and then fails on; a warning is what
 * it silently drops, ignores or misreads. Codes are stable, because settings and people refer to them.
 */
const table = {
  // The shape of the file.
  'not-a-workflow': row('error', 'No workflow in the file'),
  'json-syntax': row('error', 'Invalid JSON'),
  'duplicate-node': row('warning', 'Duplicate node ID'),
  'duplicate-input': row('warning', 'Duplicate input'),
  'non-finite-number': row('warning', 'NaN or Infinity'),
  'wrapped-workflow': row('hint', 'Workflow inside a request or result'),
  'too-large-to-check': row('warning', 'Too large to check'),
  'more-findings': row('information', 'More findings than shown'),
  'not-a-node': row('error', 'Entry is not a node'),
  'class-type-missing': row('error', 'Missing class_type'),
  'class-type-not-text': row('error', 'class_type is not a string'),
  'inputs-missing': row('error', 'Missing inputs'),
  'inputs-not-an-object': row('error', 'inputs is not an object'),
  'meta-not-an-object': row('error', '_meta is not an object'),
  'no-output-node': row('error', 'No output node'),

  // Node types and values.
  'unknown-class': row('error', 'Unknown node type'),
  'replaced-class': row('warning', 'Replaced node type'),
  'replacement-needs-meta': row('error', 'Replaced node type without _meta'),
  'missing-input': row('error', 'Missing required input'),
  'value-type': row('error', 'Wrong value type'),
  'below-minimum': row('error', 'Below the minimum'),
  'above-maximum': row('error', 'Above the maximum'),
  'option-unknown': row('error', 'Not one of the options'),
  'option-spelling': row('error', 'Option spelled differently'),
  'option-in-other-folder': row('error', 'File in another folder'),
  'file-not-on-server': row('warning', 'File not on the server yet'),
  'file-outside-workspace': row('error', 'File outside the workspace'),
  'group-size': row('error', 'Too few or too many rows'),
  'class-check': row('error', 'Rejected by the node'),
  'server-exception': row('error', 'Server error during validation'),
  'server-crash': row('error', 'Server fails on the file'),
  'output-dropped': row('warning', 'Output will not run'),

  // Links.
  'link-shape': row('error', 'List is not a link'),
  'link-to-missing-node': row('error', 'Link to a missing node'),
  'link-id-not-text': row('error', 'Node ID in a link is not a string'),
  'link-slot': row('error', 'No such output slot'),
  'link-slot-not-integer': row('error', 'Slot is not an integer'),
  'link-slot-negative': row('warning', 'Negative slot'),
  'link-type': row('error', 'Incompatible types'),
  cycle: row('error', 'Cycle'),

  // Accepted by the server, but fails when it runs.
  'undeclared-link': row('error', 'Link to an unknown input'),
  'undeclared-link-to-missing-node': row('error', 'Link that stops the server'),
  'undeclared-link-slot': row('error', 'Unknown input linked to a missing slot'),
  'undeclared-link-cycle': row('error', 'Cycle through an unknown input'),
  'literal-on-socket': row('warning', 'Value in place of a link'),
  'dynamic-key-missing': row('error', 'Missing option that determines the inputs'),
  'dynamic-key-unknown': row('error', 'Unknown option that determines the inputs'),

  // Accepted by the server, but not what was meant.
  'input-of-other-option': row('warning', 'Input of an option not selected'),
  'unknown-input': row('warning', 'Unknown input'),
  'growing-input-name': row('warning', 'Wrong name in a growing list of inputs'),
  'text-for-boolean': row('warning', 'String used as a Boolean'),
  'value-not-text': row('warning', 'Value is not a string'),
  'fraction-cut': row('information', 'Fraction is dropped'),
  'off-step': row('hint', 'Value between two steps'),
  'unused-node': row('hint', 'Unused node'),
  'deprecated-class': row('hint', 'Deprecated node type'),
  'experimental-class': row('hint', 'Experimental node type'),
  'paid-class': row('information', 'Paid node type'),

  // Graph files.
  'graph-not-convertible': row('error', "Graph can't be converted to a prompt"),
  'graph-conversion': row('warning', 'Lost in conversion'),
  'dangling-link': row('warning', 'Dangling link'),
  'stale-subgraph-slot': row('warning', 'Slot removed from the subgraph'),
  'link-table': row('warning', 'Links and slots disagree'),
  'widget-count': row('hint', 'Widget without a value or default'),
  'widget-shifted': row('warning', 'Shifted widget values'),
  'muted-source': row('warning', 'Required input comes from a muted node'),
  'bypass-without-match': row('warning', 'Bypassed node has nothing to pass on'),
  'unknown-virtual-node': row('warning', 'Node that may exist only in the ComfyUI editor'),
  'model-not-on-server': row('warning', 'Model not on the server'),

  // What the ComfyUI editor does to the file.
  'editor-link-counter': row('warning', 'The editor overwrites links'),
  'editor-link-objects': row('warning', 'The editor loses the links'),
  'editor-null-entry': row('warning', "The editor can't open the file"),
  'editor-values-by-name': row('warning', 'The editor loses the widget values'),

  // Reported by runs.
  'server-rejection': row('error', 'Rejected by the server'),
  'execution-error': row('error', 'Failed while running'),
} as const satisfies Record<string, CodeRow>;

export type CheckCode = keyof typeof table;

export interface CodeEntry extends CodeRow {
  readonly code: CheckCode;
  /** The heading of its section in docs/checks.md. */
  readonly anchor: string;
}

/** The table of codes, in the order of docs/checks.md. */
export const codes: ReadonlyMap<CheckCode, CodeEntry> = new Map(
  Object.entries(table).map(([name, { severity, title }]) => {
    const code = name as CheckCode;
    return [code, { code, severity, title, anchor: name }];
  }),
);

/** The severity that a code has of itself. */
export function severityOf(code: CheckCode): Severity {
  return table[code].severity;
}

const runCodes = new Set<CheckCode>(['file-outside-workspace', 'server-rejection', 'execution-error']);

/** Reported only by runs: settings have no effect. */
export function isRunCode(code: CheckCode): boolean {
  return runCodes.has(code);
}

/** Whether a text, such as a key of the settings, is a code. */
export function isCheckCode(text: string): text is CheckCode {
  return Object.hasOwn(table, text);
}

function row(severity: Severity, title: string): CodeRow {
  return { severity, title };
}
