import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { type CheckReport, checkWorkflow } from '../../src/core/check/checkWorkflow';
import { knownValidators } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/catalog/nodeReplacements';
import { promptFromText } from '../../src/core/workflow/prompt';
import {
  corpusFolder,
  corpusNote,
  corpusText,
  sampledCorpusNames,
  sampleOf,
  sampleShare,
} from '../support/corpus';
import { exactFrom } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { readTranscript } from '../support/transcript';
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

/** The errors of a file that the server accepts, and the server's errors without a finding at their place. */
interface Held {
  readonly name: string;
  readonly accepted: boolean;
  readonly errors: readonly string[];
  readonly unsaid: readonly string[];
}

/** An exception in an inner node names an input of its consumer, so only the node is compared. */
const isRaise = ({ type }: RecordedError): boolean => type.startsWith('exception_during');

function unsaid(recorded: Recorded, { findings }: CheckReport): string[] {
  const isSaid = (node: string, input: unknown): boolean =>
    findings.some(
      ({ nodeId, nodeIds = [], input: at }) =>
        (nodeId === node && (input === undefined || at === input)) ||
        // A loop and a missing node type are reported once for all their nodes.
        (input === undefined && nodeIds.includes(node)),
    );
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
  it.each(['core', 'core+24packs'])('match the real verdicts, with the definitions of %s', (dump) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const replacements = readReplacements(
      JSON.parse(corpusText('object_info', 'node_replacements_core.json')),
    );
    const recorded = JSON.parse(corpusText('verdicts', `corpus_${dump}.json`)) as Record<string, Recorded>;
    const counts = new Map<string, number>();
    const held = sampleOf(Object.entries(recorded)).map(([name, verdict]): Held => {
      const text = corpusText('workflows', 'api', name);
      const validators = withRecordedRefusals(knownValidators, promptFromText(text), verdict);
      const report = checkWorkflow(WorkflowDocument.of(text), { catalog, replacements, validators });
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

  it('are one for each fault: where two overlap, they are about different things', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core+24packs.json'));
    // A node is marked at its type for each input that it lacks, and for what it costs.
    const apart = new Set([
      'missing-input missing-input',
      'missing-input paid-class',
      'link-table link-type',
    ]);
    const doubled = (['api', 'ui'] as const).flatMap((folder) =>
      sampledCorpusNames('workflows', folder).flatMap((name) => {
        const { findings } = checkWorkflow(WorkflowDocument.of(corpusText('workflows', folder, name)), {
          catalog,
        });
        const told = findings.filter(({ severity }) => severity !== 'hint');
        return told.flatMap((each, index) => {
          const [next] = told.slice(index + 1);
          if (!next || next.offset >= each.offset + each.length) return [];
          const pair = [each.code, next.code].sort().join(' ');
          return apart.has(pair) ? [] : [`${name}: ${pair}`];
        });
      }),
    );
    expect(doubled).toEqual([]);
  }, 120_000);
});

/** Each prompt of a recording with the result of its run. */
function runsOf(name: string): { note: string; text: string; end: string }[] {
  const runs: { note: string; text: string; end: string }[] = [];
  for (const event of readTranscript('0.33.0', name)) {
    if (
      event.ev === 'http' &&
      event.method === 'POST' &&
      event.path === '/prompt' &&
      event.request !== undefined
    )
      runs.push({ note: event.note ?? '', text: event.request, end: 'none' });
    const last = runs.at(-1);
    if (event.ev !== 'ws' || !last || last.end.startsWith('execution_')) continue;
    if (/^execution_(?:error|success)$/.test(event.msg.type)) last.end = event.msg.type;
  }
  return runs;
}

describe.skipIf(corpusFolder === undefined)(
  `findings on prompts that a server accepted and failed on${corpusNote}`,
  () => {
    const catalog = corpusFolder && Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const codesOf = (text: string): string[] =>
      checkWorkflow(WorkflowDocument.of(text), { catalog: catalog || undefined })
        .findings.filter(({ severity }) => severity === 'error' || severity === 'warning')
        .map(({ code }) => code);
    const foretold = /^(?:undeclared-link.*|literal-on-socket)$/;

    it('predict each failure of undeclared inputs, and none for runs that succeeded', () => {
      const runs = runsOf('unknown-inputs');
      expect(runs.length).toBeGreaterThan(5);
      for (const { note, text, end } of runs) {
        expect([note, codesOf(text).some((code) => foretold.test(code))]).toEqual([
          note,
          end === 'execution_error',
        ]);
      }
    });

    it('predict the prompt that stops the server', () => {
      expect(runsOf('hang').flatMap(({ text }) => codesOf(text))).toContain(
        'undeclared-link-to-missing-node',
      );
    });
  },
);

/** Names of inputs that the real editor sent although their node type lacks them, with a finding. */
function reported(catalog: Catalog, name: string, text: string): string[] {
  return checkWorkflow(WorkflowDocument.of(text), { catalog })
    .findings.filter(({ code, severity }) => code === 'unknown-input' && severity === 'warning')
    .map(({ input }) => `${name} ${input ?? ''}`);
}

describe.skipIf(corpusFolder === undefined)(`inputs that the ComfyUI editor writes${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])('have no finding in real graphs, with the definitions of %s', (dump) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const names = sampledCorpusNames('golden_ui2api', dump);
    expect(names.length).toBeGreaterThan(100 / sampleShare);
    const found = names.flatMap((name) => reported(catalog, name, corpusText('golden_ui2api', dump, name)));
    expect(found).toEqual([]);
  });

  it('have no finding in official templates', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const lines = sampleOf(corpusText('golden_templates.ndjson').split('\n').filter(Boolean));
    expect(lines.length).toBeGreaterThan(100 / sampleShare);
    const found = lines.flatMap((line) => {
      const { file, prompt } = JSON.parse(line) as { file: string; prompt?: object };
      return prompt ? reported(catalog, file, writeExact(exactFrom(prompt))) : [];
    });
    expect(found).toEqual([]);
  });
});
