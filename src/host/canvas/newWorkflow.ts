import * as vscode from 'vscode';
import type { ServerWorkflow } from '../../core/client/serverWorkflows';
import type { RunSession } from '../../core/runLife/runSession';
import { errorWords } from '../../core/safety/errorWords';
import { type Shown, shown } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { customEditors } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne, showProgress } from '../platform/show';
import { copySample, listSamples, targetFolder } from '../runs/sample';
import type { Servers } from '../servers/servers';
import { freeWorkflowFile } from './boundCanvas';
import { pageLanguage } from './pageSettings';

/** What ComfyUI saves without a node. */
const emptyWorkflow = {
  ...{ last_node_id: 0, last_link_id: 0, nodes: [], links: [], groups: [], config: {}, extra: {} },
  version: 0.4,
};

interface NewRow extends ListRow {
  /** Makes the file in a folder. */
  readonly make?: (folder: vscode.Uri) => Promise<vscode.Uri>;
}

/** Makes a workflow file: an empty one, or a copy of a sample or of what the selected server offers. */
export async function makeNewWorkflow(extensionUri: vscode.Uri, servers: Servers): Promise<void> {
  const server = servers.current();
  const hasPage = server !== undefined && server.kind !== 'cloud' && server.kind !== 'sandbox';
  const session = hasPage ? await servers.quietSession() : undefined;
  const onServer = session ? await serverRows(session) : [];
  const samples = (await listSamples(extensionUri)).map((row): NewRow => {
    return { ...row, make: (folder) => copySample(extensionUri, row.name, folder) };
  });
  const empty: NewRow = {
    label: shown`Empty workflow`,
    make: (folder) => writeNew(folder, 'workflow', JSON.stringify(emptyWorkflow, null, 2)),
  };
  const rows = [empty, ...onServer, separator(shown`${'Comfy Deck'}`), ...samples];
  const picked = await pickOne(rows, {
    placeHolder: shown`Select a workflow to copy and open`,
    matchOnDetail: true,
  });
  const folder = picked?.make && (await targetFolder());
  const file = folder && (await picked.make(folder));
  // Most samples are in API format.
  const editor = hasPage && !(picked && samples.includes(picked)) ? customEditors.canvas : 'default';
  if (file) await openFileIn(file, editor, { preview: false });
}

/** What the server has, by its categories. What can't be listed is left out, and said in its place. */
async function serverRows(session: RunSession): Promise<NewRow[]> {
  const signal = AbortSignal.timeout(10_000);
  const { workflows, server } = session;
  const listed = await showProgress(
    { location: vscode.ProgressLocation.Window, title: shown`${server.name}` },
    () =>
      Promise.allSettled([
        workflows.stored(server.name, signal),
        workflows.templates(pageLanguage(vscode.env.language), signal),
      ]),
  );
  return listed.flatMap((list) => {
    if (list.status === 'rejected') return [separator(shown`${errorWords(list.reason).message}`)];
    return list.value.flatMap((workflow, at, all) => {
      const isFirst = all[at - 1]?.category !== workflow.category;
      const row = rowOf(session, workflow);
      return isFirst ? [separator(shown`${workflow.category}`), row] : [row];
    });
  });
}

function rowOf({ workflows }: RunSession, workflow: ServerWorkflow): NewRow {
  const { title, description } = workflow;
  return {
    label: shown`${title}`,
    ...(description !== '' && { detail: shown`${description}` }),
    make: async (folder) => {
      const text = await workflows.text(workflow, AbortSignal.timeout(30_000));
      if (!WorkflowDocument.of(text).isWorkflow)
        throw new UserProblem(shown`${title} can't be read.`, shown`Choose another file.`);
      return writeNew(folder, title, text);
    },
  };
}

async function writeNew(folder: vscode.Uri, name: string, text: string): Promise<vscode.Uri> {
  const file = await freeWorkflowFile(folder, name);
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  return file;
}

function separator(label: Shown): NewRow {
  return { label, isSeparator: true };
}
