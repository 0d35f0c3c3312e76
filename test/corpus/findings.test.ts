import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { type CheckReport, checkWorkflow } from '../../src/core/check/checkWorkflow';
import { knownValidators } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/catalog/nodeReplacements';
import type { JsonNode } from '../../src/core/json/node';
import { applyEdits, replaceValue } from '../../src/core/json/textEdit';
import { parseJson } from '../../src/core/json/tree';
import type { Verdict } from '../../src/core/check/verdict';
import { promptFromText } from '../../src/core/workflow/prompt';
import { corpusFolder, corpusNames, corpusNote, corpusPath, corpusText } from '../support/corpus';
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
    const held = Object.entries(recorded).map(([name, verdict]): Held => {
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
      corpusNames('workflows', folder).flatMap((name) => {
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

/** Workflow files of the corpus with one value changed, as chosen by the tests. */
function mutated(names: readonly (readonly [string, string])[]): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([file, place, value]) => {
    const [folder, name] = names[file % names.length] ?? ['api', ''];
    const text = corpusText('workflows', folder, name);
    const values = valuesOf(parseJson(text).root);
    const target = values[place % values.length];
    return target ? applyEdits(text, [replaceValue(target, JSON.stringify(value))]) : text;
  });
}

/** Every value of a tree. */
function valuesOf(node: JsonNode | undefined): JsonNode[] {
  const found: JsonNode[] = [];
  const open = node ? [node] : [];
  for (let each = open.pop(); each; each = open.pop()) {
    found.push(each);
    if (each.kind === 'array') open.push(...each.items);
    if (each.kind === 'object') open.push(...each.properties.flatMap(({ value }) => value ?? []));
  }
  return found;
}

describe.skipIf(corpusFolder === undefined)(`findings on changed files${corpusNote}`, () => {
  it('are inside the text and never throw, whatever one value is changed to', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const names = (['api', 'ui'] as const).flatMap((folder) =>
      corpusNames('workflows', folder)
        .filter((name) => statSync(corpusPath('workflows', folder, name)).size < 200_000)
        .map((name) => [folder, name] as const),
    );
    fc.assert(
      fc.property(mutated(names), fc.nat(), fc.boolean(), (text, cut, isCut) => {
        const given = isCut ? text.slice(0, cut % (text.length + 1)) : text;
        const { findings } = checkWorkflow(WorkflowDocument.of(given), { catalog });
        for (const { offset, length, related = [] } of findings) {
          for (const place of [{ offset, length }, ...related]) {
            expect(place.offset).toBeGreaterThanOrEqual(0);
            expect(place.offset + place.length).toBeLessThanOrEqual(given.length);
          }
        }
      }),
      { numRuns: Number(process.env.COMFY_DECK_MUTATIONS ?? 400) },
    );
  }, 600_000);
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

describe.skipIf(corpusFolder === undefined)(`verdicts on graph files${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])(
    'equal those of their real prompts, with the definitions of %s',
    (dump) => {
      const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
      const recorded = JSON.parse(corpusText('verdicts', `golden_${dump}.json`)) as Record<string, Recorded>;
      const found = Object.entries(recorded).map(([name, verdict]) => {
        const golden = promptFromText(corpusText('golden_ui2api', dump, name));
        const validators = withRecordedRefusals(knownValidators, golden, verdict);
        const report = checkWorkflow(WorkflowDocument.of(corpusText('workflows', 'ui', name)), {
          catalog,
          validators,
        });
        return { name, isSame: report.verdict !== undefined && sameVerdict(report.verdict, verdict) };
      });
      const other = found.filter(({ isSame }) => !isSame).map(({ name }) => name);
      const title = `golden_${dump}: ${found.length - other.length} of ${found.length} graphs judged alike`;
      process.stdout.write(`${[title, ...other.map((name) => `  ${name}`)].join('\n')}\n`);
      expect(1 - other.length / found.length).toBeGreaterThan(0.97);
    },
  );
});

/** Types of errors, ids of nodes, names of inputs and good outputs as sets. */
function sameVerdict(verdict: Verdict, recorded: Recorded): boolean {
  if ('raised' in recorded) return verdict.crash !== undefined;
  const mine = [...verdict.nodeErrors].flatMap(([id, { errors }]) =>
    errors.map(({ type, extra_info }) => JSON.stringify([id, type, extra_info.get('input_name') ?? null])),
  );
  const theirs = Object.entries(recorded.node_errors).flatMap(([id, { errors }]) =>
    errors.map(({ type, extra_info }) => JSON.stringify([id, type, extra_info.input_name ?? null])),
  );
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
  return (
    verdict.valid === recorded.valid &&
    verdict.error?.type === recorded.error?.type &&
    same(mine, theirs) &&
    same(verdict.goodOutputs, recorded.good_outputs)
  );
}
