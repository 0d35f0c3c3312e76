import type * as vscode from 'vscode';
import { sourceTextIn } from '../../core/json/textEdit';
import type { NodeErrorMap, PromptError } from '../../core/protocol/nodeErrors';
import type { RunChoices } from '../../core/runs/runChoices';
import type { RunSession } from '../../core/runLife/runSession';
import { declinedWords, type RunOutcome } from '../../core/runs/runWorkflow';
import { sentencesText, t } from '../../core/safety/localize';
import { parseJson } from '../../core/json/tree';
import { isTrueNode, listMember, objectMember, textMember } from '../../core/workflow/graph/members';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { problemText } from '../platform/problems';
import { uriName } from '../platform/workflowSource';
import type { Runs } from '../runs/runs';
import { type Answer, jsonAnswer } from './canvasFile';

/**
 * Runs the prompt of a page as a run of this window, and answers as the server would.
 * @param file its folder says where outputs go
 * @param isOther whether the page shows another workflow than that of the file
 * @throws Error
 */
export async function runPagePrompt(
  runs: Runs,
  body: string,
  session: RunSession | undefined,
  file: vscode.TextDocument,
  isOther: boolean,
): Promise<Answer> {
  const asked = readPagePrompt(body);
  if (!asked) return errorAnswer({ type: 'invalid_prompt', message: 'no prompt' }, {});
  if (!session) return errorAnswer({ message: t`That server has been removed.` }, {});
  const { workflow, workflowText, choices } = asked;
  const source = {
    ...{ workflow, workflowText, uri: file.uri, fileText: file.getText() },
    label: isOther ? 'ComfyUI' : uriName(file.uri),
    // The page has uploaded what it names.
    localMedia: () => Promise.resolve(undefined),
  };
  try {
    return outcomeAnswer(await runs.sendPrompt(source, choices, session, isOther));
  } catch (error) {
    return errorAnswer({ message: problemText(error).line() }, {});
  }
}

/**
 * What a ComfyUI page asks its server to run (protocol 1.5). Each text is exactly as the page wrote it. Undefined if
 * there is no prompt.
 */
export function readPagePrompt(body: string) {
  const { root } = parseJson(body);
  const asked = root?.kind === 'object' ? root : undefined;
  const prompt = objectMember(asked, 'prompt');
  if (!prompt) return undefined;
  const graph = objectMember(objectMember(objectMember(asked, 'extra_data'), 'extra_pnginfo'), 'workflow');
  return {
    workflow: WorkflowDocument.of(sourceTextIn(body, prompt)),
    workflowText: graph && sourceTextIn(body, graph),
    choices: {
      seeds: 'keep',
      // The server says what it lacks, in the shape that the page shows at its nodes.
      force: true,
      next: isTrueNode(asked?.get('front')),
      targets: listMember(asked, 'partial_execution_targets').flatMap((each) =>
        each.kind === 'string' ? [each.value] : [],
      ),
      clientId: textMember(asked, 'client_id'),
    } satisfies RunChoices,
  };
}

function outcomeAnswer(outcome: RunOutcome | undefined): Answer {
  switch (outcome?.kind) {
    case 'submitted':
      return jsonAnswer({
        prompt_id: outcome.jobId,
        number: 0,
        node_errors: wireNodeErrors(outcome.nodeErrors),
      });
    case 'refusedByServer':
      return errorAnswer(outcome.error, outcome.nodeErrors);
    case 'refused':
      return errorAnswer({ message: sentencesText(outcome.message, outcome.nextAction) }, {});
    case 'unknown':
      return errorAnswer({ message: problemText(outcome.error).line() }, {});
    case 'declined':
      return errorAnswer({ message: declinedWords()[outcome.what] }, {});
    case undefined:
      return errorAnswer({ message: t`It was cancelled.` }, {});
  }
}

function errorAnswer(
  { type = 'comfy_deck', message, details = '', extraInfo = {} }: PromptError,
  nodeErrors: NodeErrorMap,
): Answer {
  const error = { type, message, details, extra_info: extraInfo };
  return { ...jsonAnswer({ error, node_errors: wireNodeErrors(nodeErrors) }), status: 400 };
}

/** As a server writes them. */
function wireNodeErrors(all: NodeErrorMap): object {
  const nodes = Object.entries(all).map(([id, { classType, errors, dependentOutputs }]) => {
    const wire = errors.map(({ extraInfo, ...error }) => ({ ...error, extra_info: extraInfo }));
    return [id, { class_type: classType, dependent_outputs: dependentOutputs, errors: wire }];
  });
  return Object.fromEntries(nodes) as object;
}
