import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import type { PreparedRun } from '../../../src/core/runs/preparedRun';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import type { RunChoices } from '../../../src/core/runs/runChoices';
import type { ServerDefinitions } from '../../../src/core/server/serverDefinitions';
import type { RandomSeed } from '../../../src/core/workflow/seeds';
import type { RunRefusal } from '../../../src/core/runs/runRefusal';
import { catalog } from './definitions';

type Options = RunChoices & ServerDefinitions & { readonly randomSeed?: RandomSeed };

export const keep: Options = { seeds: 'keep', catalog };

export function prepare(text: string, options: Options): PreparedRun | RunRefusal {
  return prepareRun(
    { workflow: WorkflowDocument.of(text), label: 'w.json' },
    options,
    options,
    options.randomSeed,
  );
}

export function refusalOf(text: string, options: Options = keep): RunRefusal {
  const result = prepare(text, options);
  if (result.kind !== 'refused') throw new Error('was not refused');
  return result;
}

export function preparedOf(text: string, options: Options = keep): PreparedRun {
  const result = prepare(text, options);
  if (result.kind !== 'prepared') throw new Error(result.message);
  return result;
}
