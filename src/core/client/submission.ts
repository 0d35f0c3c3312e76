import { readErrorBody } from '../protocol/errorBody';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { promptAnswer, type PromptAnswer } from '../protocol/promptAnswer';
import { refusalError } from '../protocol/refusal';
import { mayCarryCredential, unsafeAddress } from './address';
import { readAnswer } from './answerShape';
import type { Capabilities } from './capabilities';
import type { Transport, TransportAnswer } from './transport';
import { t } from '../safety/localize';

export interface Submission {
  /** The exact JSON text of the prompt, posted unchanged, digit for digit. */
  readonly promptText: string;
  readonly clientId: string;
  /** Canonical UUID; sent to local servers only (protocol 1.5). */
  readonly promptId?: string | undefined;
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** The exact JSON text of the graph that the prompt came from: servers write it into pictures. */
  readonly workflowText?: string | undefined;
  /** Run only these output nodes. */
  readonly partialTargets?: readonly string[] | undefined;
  /** To the front of the queue; only local servers. */
  readonly front?: boolean | undefined;
  /** Key for partner nodes, sent as `extra_data.api_key_comfy_org`. */
  readonly partnerKey?: string | undefined;
}

/** `accepted` with node errors: the branches that they name are left out, the rest runs (protocol 1.5). */
export type SubmissionAnswer =
  | {
      readonly kind: 'accepted';
      readonly promptId: string;
      readonly number?: number;
      readonly nodeErrors: NodeErrorMap;
    }
  | { readonly kind: 'refused'; readonly error: PromptError; readonly nodeErrors: NodeErrorMap };

const path = '/api/prompt';
const endpoint = `POST ${path}`;

/**
 * Posts a prompt, once: it may cost money, so nothing here tries again. A refusal of the prompt itself is an answer;
 * refusals of the account, and a lost answer, are `ServerError`.
 */
export async function submitPrompt(
  transport: Transport,
  capabilities: Capabilities,
  submission: Submission,
  signal?: AbortSignal,
): Promise<SubmissionAnswer> {
  const { partnerKey } = submission;
  if (partnerKey !== undefined && !mayCarryCredential(transport.baseUrl)) throw unsafeAddress(endpoint);
  // Placeholders such as the sandbox's, which accepts any key, are not secrets.
  if (partnerKey !== undefined && partnerKey.length >= 16) transport.secrets.add(partnerKey);
  const answer = await transport.request({
    method: 'POST',
    path,
    body: { text: submissionText(submission, capabilities), mime: 'application/json' },
    accept: 'application/json',
    accepts: (status) => status === 400 || status === 422,
    // Local servers validate before they answer, and large prompts take time.
    deadline: 120_000,
    signal,
  });
  return readSubmissionAnswer(answer);
}

/** The body around the exact text of the prompt: no number of it passes through a JSON writer. */
export function submissionText(submission: Submission, capabilities: Capabilities): string {
  const isLocal = capabilities.dialect === 'local';
  const { promptId, front, partialTargets } = submission;
  const extraData = extraDataText(submission);
  const members = [
    member('client_id', JSON.stringify(submission.clientId)),
    ...(isLocal && promptId !== undefined ? [member('prompt_id', JSON.stringify(promptId))] : []),
    ...(isLocal && front ? [member('front', 'true')] : []),
    ...(partialTargets ? [member('partial_execution_targets', JSON.stringify(partialTargets))] : []),
    ...(extraData === undefined ? [] : [member('extra_data', extraData)]),
    member('prompt', submission.promptText),
  ];
  return `{${members.join(',')}}`;
}

function extraDataText({ extraData, partnerKey, workflowText }: Submission): string | undefined {
  const members = [
    ...Object.entries(extraData ?? {}).map(([name, value]) => member(name, JSON.stringify(value))),
    ...(partnerKey === undefined ? [] : [member('api_key_comfy_org', JSON.stringify(partnerKey))]),
    ...(workflowText === undefined ? [] : [member('extra_pnginfo', `{${member('workflow', workflowText)}}`)]),
  ];
  return members.length === 0 ? undefined : `{${members.join(',')}}`;
}

function member(name: string, valueText: string): string {
  return `${JSON.stringify(name)}:${valueText}`;
}

function readSubmissionAnswer(answer: TransportAnswer): SubmissionAnswer {
  const contentType = answer.headers.get('content-type');
  const body = readErrorBody(answer.text, contentType);
  const refused = answer.status >= 400;
  // An existing job costs, whatever else the answer says.
  const taken = refused ? undefined : acceptedIn(answer.text);
  if (taken) return { kind: 'accepted', ...taken };
  if (body.promptError) {
    const error =
      body.promptError.message === '' ? { ...body.promptError, message: silent } : body.promptError;
    return { kind: 'refused', error, nodeErrors: body.nodeErrors ?? {} };
  }
  if (refused && body.nodeErrors && Object.keys(body.nodeErrors).length > 0) {
    return { kind: 'refused', error: { message: body.message ?? silent }, nodeErrors: body.nodeErrors };
  }
  if (refused) throw refusalError({ endpoint, status: answer.status, bodyText: answer.text, contentType });
  return { kind: 'accepted', ...readAnswer(promptAnswer, answer.text, endpoint) };
}

function acceptedIn(text: string): PromptAnswer | undefined {
  try {
    return readAnswer(promptAnswer, text, endpoint);
  } catch {
    return undefined;
  }
}

const silent = t`The server rejected the workflow without giving a reason.`;
