import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { checkWorkflow } from '../../src/core/check/checkWorkflow';
import type { Finding } from '../../src/core/check/finding';
import { validatorsFor } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/catalog/nodeReplacements';
import { predictVerdict, verdictBody } from '../../src/core/check/verdict';
import { readNodeErrors } from '../../src/core/protocol/nodeErrors';
import { prepareRun } from '../../src/core/runs/prepareRun';
import { serverFindings } from '../../src/core/runs/serverFindings';
import { readWorkflowPrompt } from '../../src/core/runs/readWorkflowPrompt';
import { corpusFolder, sampledCorpusNames, corpusNote, corpusText } from '../support/corpus';

/** A run adds the titles that replacements need, and removes the notes of other tools. */
const seenTo = new Set(['replacement-needs-meta']);

const place = ({ code, nodeId = '', input = '', offset, length }: Finding): string =>
  `${code} ${nodeId} ${input} ${offset}+${length}`;

describe.skipIf(corpusFolder === undefined)(`findings${corpusNote}`, () => {
  it.each(['api', 'ui'] as const)(
    'are the same in a check, in a run and for a refusal: %s',
    (folder) => {
      const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
      const replacements = readReplacements(
        JSON.parse(corpusText('object_info', 'node_replacements_core.json')),
      );
      const differences: string[] = [];
      let refused = 0;
      for (const name of sampledCorpusNames('workflows', folder)) {
        if (!name.endsWith('.json')) continue;
        const text = corpusText('workflows', folder, name);
        const report = checkWorkflow(WorkflowDocument.of(text), { catalog, replacements });
        const run = prepareRun(
          { workflow: WorkflowDocument.of(text), label: name },
          { seeds: 'keep' },
          { catalog, replacements },
        );
        if (run.kind !== 'refused' || run.findings.length === 0) continue;
        refused += 1;
        const told = report.findings.filter(
          ({ severity, code, nodeId }) => severity === 'error' && !seenTo.has(code) && nodeId !== '_meta',
        );
        const [ofRun, ofCheck] = [run.findings.map(place), told.map(place)];
        if (ofRun.join('\n') !== ofCheck.join('\n'))
          differences.push(`${name}: a run says\n${ofRun.join('\n')}\nand a check\n${ofCheck.join('\n')}`);
        const read = readWorkflowPrompt(WorkflowDocument.of(text), catalog);
        if (read.kind === 'refused' || report.verdict?.valid !== false) continue;
        const validators = validatorsFor(read.prompt, catalog);
        const verdict = predictVerdict(read.prompt, catalog, { validators, replacements });
        const answer = JSON.parse(verdictBody(verdict)) as { node_errors: unknown };
        const known = new Set(report.findings.map(place));
        for (const finding of serverFindings(
          readNodeErrors(answer.node_errors),
          read.places,
          report.findings,
        ))
          if (!known.has(place(finding))) differences.push(`${name}: ${place(finding)} ${finding.message}`);
      }
      process.stdout.write(`one judge: ${refused} refused files of ${folder}\n`);
      expect(differences).toEqual([]);
      expect(refused).toBeGreaterThan(10);
      // A thousand files, each checked and prepared, beside other tests.
    },
    180_000,
  );
});
