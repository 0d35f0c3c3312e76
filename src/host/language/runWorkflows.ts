import * as vscode from 'vscode';
import { indented } from '../../core/json/indentedText';
import { isRecordName, recordStem } from '../../core/outputs/outputNames';
import { recordTime } from '../../core/records/runRecord';
import { shown } from '../../core/safety/shownText';
import { exactTime } from '../../core/safety/timeText';
import { mayContainWorkflow } from '../../core/workflow/pictures/workflowsInPicture';
import type { RunWorkflows } from '../compare/comparedSide';
import { UserProblem } from '../platform/problems';
import { uriName } from '../platform/workflowSource';
import { pickOtherRun, recordsOfRows } from '../records/compareWith';
import { readRecord, requireRecord, textOfRecord } from '../records/readRecord';
import type { WindowRuns } from '../runs/windowRuns';
import { readEmbeddedWorkflow } from './pictureWorkflow';

/** Reads workflows from outputs and run records. */
export function runWorkflows(runs: WindowRuns): RunWorkflows {
  return {
    isOfRun: (file) => isRecordName(file.path) || mayContainWorkflow(file.path),
    workflowOf: async (file) => {
      const name = uriName(file);
      if (!isRecordName(name)) return { label: name, name, text: await readEmbeddedWorkflow(file) };
      const record = await requireRecord(file);
      const text = textOfRecord(record);
      if (text === undefined) {
        throw new UserProblem(shown`${name} contains no workflow.`, shown`Select the record of another run.`);
      }
      const { label, sentAt, submittedAt } = record;
      const time = recordTime(sentAt ?? submittedAt);
      return {
        label: time === undefined ? label : `${label} (${exactTime(time)})`,
        name: recordStem(name),
        text: `${indented(text)}\n`,
      };
    },
    recordsOf: (args) => recordsOfRows(args, runs),
    pickRun: async (file) => {
      await runs.ready();
      const own = isRecordName(file.path) ? await readRecord(file) : undefined;
      const source = { label: uriName(file), sourceUri: vscode.workspace.asRelativePath(file, false) };
      return pickOtherRun(file, typeof own === 'object' ? own : source, runs.places.all(), runs.servers);
    },
  };
}
