import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { type CheckReport, checkWorkflow } from '../../src/core/check/checkWorkflow';
import { knownValidators } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/check/replacements';
import { parseJson } from '../../src/core/json/tree';
import { promptFromText } from '../../src/core/workflow/prompt';
import { corpusFolder, corpusNote, corpusText } from '../support/corpus';
import { type Recorded, type RecordedError, withRecordedRefusals } from '../support/verdictAgreement';

/** What the server accepts and then fails at: the only errors that an accepted file may have. */
const failsLater = new Set([
  'undeclared-link',
  'undeclared-link-to-missing-node',
  'undeclared-link-slot',
  'undeclared-link-cycle',
  'dynamic-key-missing',
  'dynamic-key-unknown',
]);

/** The errors of a file that the server accepts, and the server's errors that have no finding at their place. */
interface Held {
  readonly name: string;
  readonly accepted: boolean;
  readonly errors: readonly string[];
  readonly unsaid: readonly string[];
}

/** A raise in an inner node names an input of its consumer, so of those only the node is compared. */
const isRaise = ({ type }: RecordedError): boolean => type.startsWith('exception_during');

function unsaid(recorded: Recorded, { findings }: CheckReport): string[] {
  const isSaid = (node: string, input: unknown): boolean =>
    findings.some(({ nodeId, input: at }) => nodeId === node && (input === undefined || at === input));
  if ('raised' in recorded) {
    return findings.some(({ severity }) => severity === 'error') ? [] : [`nothing for ${recorded.raised}`];
  }
  const { error, node_errors } = recorded;
  const missing = Object.entries(node_errors).flatMap(([node, { errors }]) =>
    errors
      .filter((each) => !isSaid(node, isRaise(each) ? undefined : each.extra_info.input_name))
      .map(({ type, details }) => `${node} ${type} ${details}`),
  );
  const first = error?.extra_info.node_id;
  if (typeof first === 'string' && !isSaid(first, undefined)) missing.push(`${first} ${error?.type ?? ''}`);
  if (error?.type === 'prompt_no_outputs' && !findings.some(({ code }) => code === 'no-output-node'))
    missing.push(error.type);
  return missing;
}

function table(title: string, held: readonly Held[]): void {
  const accepted = held.filter((each) => each.accepted);
  const clean = accepted.filter(({ errors }) => errors.length === 0);
  const said = held.filter((each) => each.unsaid.length === 0);
  const lines = [
    `${title}: ${accepted.length} accepted, ${clean.length} of them without an error; every server error said in ${said.length} of ${held.length}`,
    ...held.flatMap(({ name, accepted: isAccepted, errors, unsaid: missing }) => [
      ...(isAccepted ? errors.map((each) => `  ${name}: ${each}`) : []),
      ...missing.map((each) => `  ${name}: unsaid ${each}`),
    ]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

describe.skipIf(corpusFolder === undefined)(`findings on real files${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])('hold against the real verdicts, with the definitions of %s', (dump) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const replacements = readReplacements(
      JSON.parse(corpusText('object_info', 'node_replacements_core.json')),
    );
    const recorded = JSON.parse(corpusText('verdicts', `corpus_${dump}.json`)) as Record<string, Recorded>;
    const counts = new Map<string, number>();
    const held = Object.entries(recorded).map(([name, verdict]): Held => {
      const text = corpusText('workflows', 'api', name);
      const validators = withRecordedRefusals(knownValidators, promptFromText(text), verdict);
      const report = checkWorkflow(parseJson(text), { catalog, replacements, validators });
      for (const { code, severity } of report.findings)
        counts.set(`${severity} ${code}`, (counts.get(`${severity} ${code}`) ?? 0) + 1);
      const errors = report.findings
        .filter(({ severity }) => severity === 'error')
        .map(({ code, nodeId, input, message }) => `${code} ${nodeId ?? ''} ${input ?? ''} ${message}`);
      const accepted = 'valid' in verdict && verdict.valid;
      return { name, accepted, errors, unsaid: unsaid(verdict, report) };
    });
    table(`corpus_${dump}`, held);
    const rows = [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, count]) => `  ${count} ${code}`);
    process.stdout.write(`${rows.join('\n')}\n`);
    expect(held.flatMap(({ name, unsaid: missing }) => missing.map((each) => `${name} ${each}`))).toEqual([]);
    const wrong = held.flatMap(({ name, accepted, errors }) =>
      accepted
        ? errors.filter((each) => !failsLater.has(each.split(' ')[0] ?? '')).map((each) => `${name} ${each}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });
});
