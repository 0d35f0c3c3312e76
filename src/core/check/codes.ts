/** How loud a finding is, loudest first; `hint` is a mark in the text and no line in a list of problems. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

interface CodeRow {
  /** The severity unless the settings, or the place of the fault, make it another one. */
  readonly severity: Severity;
  /** A few words for a settings page or a list. */
  readonly title: string;
}

/**
 * Every code a finding can have. An error is what the server refuses, or accepts and then fails at; a warning is what
 * it drops, ignores or misunderstands without a word. Codes are stable: settings and people's notes name them.
 */
const table = {
  // The shape of the file.
  'not-a-workflow': row('error', 'No workflow in the file'),
  'json-syntax': row('error', 'Not JSON'),
  'duplicate-node': row('warning', 'Node id used twice'),
  'duplicate-input': row('warning', 'Input written twice'),
  'non-finite-number': row('warning', 'NaN or Infinity'),
  'wrapped-workflow': row('hint', 'Workflow inside a request or result'),
  'too-large-to-check': row('warning', 'Too large to check'),
  'more-findings': row('information', 'More findings than are shown'),
  'not-a-node': row('error', 'Entry that is no node'),
  'class-type-missing': row('error', 'Node without class_type'),
  'class-type-not-text': row('error', 'class_type is no text'),
  'inputs-missing': row('error', 'Node without inputs'),
  'inputs-not-an-object': row('error', 'Inputs are no object'),
  'meta-not-an-object': row('error', '_meta is no object'),
  'no-output-node': row('error', 'No output node'),

  // What the server says of nodes.
  'unknown-class': row('error', 'Class that the server does not know'),
  'replaced-class': row('warning', 'Class that the server replaces'),
  'replacement-needs-meta': row('error', 'Replaced node without _meta'),
  'missing-input': row('error', 'Required input is missing'),
  'value-type': row('error', 'Value of the wrong type'),
  'below-minimum': row('error', 'Below the minimum'),
  'above-maximum': row('error', 'Above the maximum'),
  'option-unknown': row('error', 'Not one of the options'),
  'option-spelling': row('error', 'Option in another spelling'),
  'option-in-other-folder': row('error', 'File in another folder'),
  'file-not-on-server': row('warning', 'File not on the server yet'),
  'group-size': row('error', 'Too few or too many rows'),
  'class-check': row('error', 'Refused by the class itself'),
  'server-exception': row('error', 'The server fails while it checks'),
  'server-crash': row('error', 'The server fails on the file'),
  'output-dropped': row('warning', 'Output that will not run'),

  // Links.
  'link-shape': row('error', 'List that is no link'),
  'link-to-missing-node': row('error', 'Link to a node that is not there'),
  'link-id-not-text': row('error', 'Node id in a link is no text'),
  'link-slot': row('error', 'Slot that the node does not have'),
  'link-slot-not-integer': row('error', 'Slot is no whole number'),
  'link-slot-negative': row('warning', 'Slot counted from the end'),
  'link-type': row('error', 'Types do not fit'),
  cycle: row('error', 'Loop of links'),

  // Accepted by the server, and then it fails.
  'undeclared-link': row('error', 'Link into an unknown input'),
  'undeclared-link-to-missing-node': row('error', 'Link that stops the whole server'),
  'undeclared-link-slot': row('error', 'Unknown input with a wrong slot'),
  'undeclared-link-cycle': row('error', 'Loop through an unknown input'),
  'literal-on-socket': row('warning', 'Value where a link is needed'),
  'dynamic-key-missing': row('error', 'Choice that decides the inputs is missing'),
  'dynamic-key-unknown': row('error', 'Choice that decides the inputs is unknown'),

  // Accepted by the server, and not what was meant.
  'input-of-other-option': row('warning', 'Input of an option that is not chosen'),
  'unknown-input': row('warning', 'Input that the class does not have'),
  'growing-input-name': row('warning', 'Wrong name in a growing list of inputs'),
  'text-for-boolean': row('warning', 'Text for true or false'),
  'value-not-text': row('warning', 'Not a text'),
  'fraction-cut': row('information', 'Fraction that is cut off'),
  'off-step': row('hint', 'Number between two steps'),
  'unused-node': row('hint', 'No output depends on the node'),
  'deprecated-class': row('hint', 'Deprecated class'),
  'experimental-class': row('hint', 'Experimental class'),
  'paid-class': row('information', 'Class that costs credits'),

  // Graph files.
  'graph-not-convertible': row('error', 'The graph cannot be turned into a prompt'),
  'graph-conversion': row('warning', 'Lost on the way to a prompt'),
  'dangling-link': row('warning', 'Link that is not in the link table'),
  'stale-subgraph-slot': row('warning', 'Slot that the subgraph no longer has'),
  'link-table': row('warning', 'Link table and slots disagree'),
  'widget-count': row('hint', 'Widget without value and default'),
  'widget-shifted': row('warning', 'Widget values shifted'),
  'muted-source': row('warning', 'Required input fed by a muted node'),
  'bypass-without-match': row('warning', 'Bypassed node has nothing to pass on'),
  'unknown-virtual-node': row('warning', 'Node that only the web page may know'),
  'model-not-on-server': row('warning', 'Model not on the server'),

  // What the ComfyUI editor does to the file.
  'editor-link-counter': row('warning', 'The editor overwrites links'),
  'editor-link-objects': row('warning', 'The editor loses the links'),
  'editor-null-entry': row('warning', 'The editor cannot open the file'),
  'editor-values-by-name': row('warning', 'The editor loses the widget values'),
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

/** Whether a text, such as a key of the settings, is a code. */
export function isCheckCode(text: string): text is CheckCode {
  return Object.hasOwn(table, text);
}

function row(severity: Severity, title: string): CodeRow {
  return { severity, title };
}
