import { readErrorBody } from '../protocol/errorBody';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { promptAnswer, type PromptAnswer } from '../protocol/promptAnswer';
import { refusalError } from '../protocol/refusal';
import { mayCarryCredential, unsafeAddress } from './address';
import { readAnswer } from './answerShape';
import type { Transport, TransportAnswer } from './transport';
import { t } from '../safety/localize';

/** `accepted` with node errors: the branches that they name are left out, the rest runs (protocol 1.5). */
export type SubmissionAnswer =
  | {
      readonly kind: 'accepted';
      readonly promptId: string;
      readonly nodeErrors: NodeErrorMap;
    }
  | {
      readonly kind: 'refused';
      readonly error: PromptError;
      readonly nodeErrors: NodeErrorMap;
      /** Nothing ran, because the server doesn't accept the member `client_id` of the body. */
      readonly refusesClientId?: boolean;
    };

const path = '/api/prompt';
const endpoint = `POST ${path}`;

/**
 * Posts the text of a body with a prompt, once: it may cost money, so nothing here tries again. The key for partner
 * nodes that stands in the text is named too: it goes nowhere unencrypted and into no log. A refusal of the prompt
 * itself is an answer; refusals of the account, and a lost answer, are `ServerError`.
 */
export async function submitPrompt(
  transport: Transport,
  body: string,
  partnerKey: string | undefined,
  signal?: AbortSignal,
): Promise<SubmissionAnswer> {
  if (partnerKey !== undefined && !mayCarryCredential(transport.baseUrl)) throw unsafeAddress(endpoint);
  // Placeholders such as the sandbox's, which accepts any key, are not secrets.
  if (partnerKey !== undefined && partnerKey.length >= 16) transport.secrets.add(partnerKey);
  const answer = await transport.request({
    method: 'POST',
    path,
    body: { text: body, mime: 'application/json' },
    accept: 'application/json',
    accepts: (status) => status === 400 || status === 422,
    // Local servers validate before they answer, and large prompts take time.
    deadline: 120_000,
    signal,
  });
  return readSubmissionAnswer(answer);
}

function readSubmissionAnswer(answer: TransportAnswer): SubmissionAnswer {
  const contentType = answer.headers.get('content-type');
  const body = readErrorBody(answer.text, contentType);
  const refused = answer.status >= 400;
  // An existing job costs, whatever else the answer says.
  const taken = refused ? undefined : acceptedIn(answer.text);
  if (taken) return { kind: 'accepted', ...taken };
  const { nodeErrors = {} } = body;
  const hasNodeErrors = Object.keys(nodeErrors).length > 0;
  const refusesClientId = refused && !hasNodeErrors && isAboutClientId(answer.text);
  if (body.promptError) {
    const error =
      body.promptError.message === '' ? { ...body.promptError, message: silent() } : body.promptError;
    return {
      kind: 'refused',
      error,
      nodeErrors,
      ...(refusesClientId && { refusesClientId }),
    };
  }
  if (refused && hasNodeErrors) {
    return { kind: 'refused', error: { message: body.message ?? silent() }, nodeErrors };
  }
  if (refusesClientId) {
    return { kind: 'refused', error: { message: body.message ?? silent() }, nodeErrors: {}, refusesClientId };
  }
  if (refused) throw refusalError({ endpoint, status: answer.status, bodyText: answer.text, contentType });
  return { kind: 'accepted', ...readAnswer(promptAnswer, answer.text, endpoint) };
}

/**
 * Whether a validator refuses a member that it doesn't know, in any form. Only `client_id` can be left out: it merely
 * tells a server whom to send events, while a run without its targets would be another run.
 */
function isAboutClientId(text: string): boolean {
  return /\bclient_id\b/.test(text) && unknownMember.test(text);
}

const unknownMember =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|undocumented|additional|\bextra\b|extra_forbidden|no such|not know|not (?:a |an )?(?:allowed|permitted|known|expected|supported|recogni[sz]ed|documented)/i;

/** In our own bodies, `client_id` comes first. */
export function withoutClientId(body: string): string {
  return body.replace(/^\{"client_id":"[^"\\]*",/, '{');
}

function acceptedIn(text: string): PromptAnswer | undefined {
  try {
    return readAnswer(promptAnswer, text, endpoint);
  } catch {
    return undefined;
  }
}

const silent = () => t`The server rejected the workflow without giving a reason.`;
