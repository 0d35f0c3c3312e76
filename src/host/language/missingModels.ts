import * as vscode from 'vscode';
import { type AddressProblem, modelAddress, modelCommand } from '../../core/check/modelCommand';
import { type MissingModelFile, modelsMissing, type NeedingNode } from '../../core/check/modelsMissing';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands } from '../platform/contributions';
import { openPage } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne, showInformation } from '../platform/show';
import { readSource } from '../platform/workflowSource';
import { rangeIn } from '../platform/editorRanges';

const mostNodes = 20;

type Row = ListRow & { readonly model?: MissingModelFile; readonly copy?: string };
type Choice = ListRow & { readonly act: () => Thenable<void> };

/** Lists the models that a workflow file needs and the server lacks, with what can be done about each. */
export async function showMissingModels(definitions: NodeDefinitions, uri: vscode.Uri): Promise<void> {
  const { workflow, label } = await readSource(uri);
  const rules = await definitions.ready();
  const name = definitions.state.server?.name;
  const server = name ?? t`the server`;
  if (!rules.catalog) {
    throw new UserProblem(
      shown`Comfy Deck can't tell which models ${server} has.`,
      shown`Check the connection, or select another server.`,
      [{ label: shown`Select Server`, command: commands.selectServer }],
    );
  }
  const models = modelsMissing(workflow, rules);
  if (models.length === 0) {
    void showInformation(shown`${name ?? startOfSentence(server)} has every model that ${label} uses.`);
    return;
  }
  const chosen = await pickOne<Row>(rowsOf(models), {
    title: shown`Missing Models: ${label}`,
    placeHolder: shown`Models not on ${server}: ${models.length}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.copy !== undefined) await vscode.env.clipboard.writeText(chosen.copy);
  if (chosen?.model) await offer(chosen.model, uri);
}

function rowsOf(models: readonly MissingModelFile[]): Row[] {
  const lines = models.map(modelCommand).filter((line) => line !== undefined);
  const all: Row[] = [
    { label: shown``, isSeparator: true },
    {
      label: shown`$(copy) Copy Download Commands (${lines.length})`,
      detail: shown`Run them with comfy-cli on the server.`,
      copy: lines.join('\n'),
    },
  ];
  return [...models.map(rowOf), ...(lines.length > 0 ? all : [])];
}

function rowOf(model: MissingModelFile): Row {
  const { name, folder, url, hash, nodes } = model;
  const problem = addressProblem(model);
  return {
    model,
    label: shown`$(package) ${name}`,
    description: folder === undefined ? shown`folder unknown` : shown`models/${folder}`,
    detail: Shown.join(
      [
        url === undefined ? shown`The workflow doesn't say where to download it` : shown`${url}`,
        ...(problem === undefined ? [] : [shown`not used: ${problem}`]),
        ...(hash === undefined ? [] : [shown`hash ${hash}`]),
        shown`needed by ${shownList(
          nodes.map((node) => node.name),
          mostNodes,
        )}`,
      ],
      shown` · `,
    ),
  };
}

async function offer(model: MissingModelFile, uri: vscode.Uri): Promise<void> {
  const { name, nodes, url } = model;
  const problem = addressProblem(model);
  const line = modelCommand(model);
  const address = url === undefined ? undefined : modelAddress(url).href;
  const copying = (what: Shown, text: string): Choice => ({
    label: shown`$(copy) ${what}`,
    detail: shown`${text}`,
    act: () => vscode.env.clipboard.writeText(text),
  });
  const choices: Choice[] = [
    ...(line === undefined ? [] : [copying(shown`Copy Download Command`, line)]),
    ...(address === undefined
      ? []
      : [
          {
            label: shown`$(link-external) Open in Browser`,
            detail: shown`${address}`,
            act: () => openPage(address),
          },
        ]),
    copying(shown`Copy Name`, name),
    ...nodes.slice(0, mostNodes).map((node) => ({
      label: shown`$(go-to-file) Go to ${node.name}`,
      act: () => goTo(uri, node),
    })),
  ];
  const chosen = await pickOne(choices, {
    title: shown`${name}`,
    placeHolder: problem === undefined ? undefined : shown`Can't download from ${url ?? ''}: ${problem}`,
  });
  await chosen?.act();
}

const problemWords = (): Readonly<Record<AddressProblem, string>> => ({
  notHttps: t`not an https URL`,
  notPublic: t`a URL on this machine or a private network`,
  withPassword: t`the URL contains a user name or password`,
  odd: t`not a valid URL`,
});

function addressProblem({ url }: MissingModelFile): string | undefined {
  const address = url === undefined ? undefined : modelAddress(url);
  return address && address.href === undefined ? problemWords()[address.problem] : undefined;
}

async function goTo(uri: vscode.Uri, { range }: NeedingNode): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { start } = rangeIn(document, range);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
}
