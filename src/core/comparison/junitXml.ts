export interface JUnitCase {
  readonly name: string;
  /** Seconds; of a case whose time is not known, undefined. */
  readonly seconds?: number | undefined;
  /** Undefined if it passed. `failure`: not as expected; `error`: it could not be compared. */
  readonly problem?: { readonly kind: 'failure' | 'error'; readonly message: string } | undefined;
}

export interface JUnitSuite {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly JUnitCase[];
}

/** The results in the XML that build servers read. Any text may be in them: what XML does not allow is replaced. */
export function junitXml(suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = suites.reduce((sum, suite) => sum + suite.seconds, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="comfy-deck test" ${countsOf(all)} time="${timeText(seconds)}">`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, seconds, cases }: JUnitSuite): string[] {
  return [
    `  <testsuite name="${xmlText(name)}" ${countsOf(cases)} time="${timeText(seconds)}">`,
    ...cases.flatMap((each) => caseLines(name, each)),
    '  </testsuite>',
  ];
}

function caseLines(suite: string, { name, seconds = 0, problem }: JUnitCase): string[] {
  const start = `    <testcase classname="${xmlText(suite)}" name="${xmlText(name)}" time="${timeText(seconds)}"`;
  if (!problem) return [`${start}/>`];
  const { kind, message } = problem;
  const text = xmlText(message);
  return [`${start}>`, `      <${kind} message="${text}">${text}</${kind}>`, '    </testcase>'];
}

function countsOf(cases: readonly JUnitCase[]): string {
  const count = (kind: 'failure' | 'error'): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
}

function timeText(seconds: number): string {
  return seconds.toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader would turn them into blanks in an attribute.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for an attribute or an element. Characters that XML 1.0 does not allow, and lone surrogates, become U+FFFD. */
export function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? '');
}
