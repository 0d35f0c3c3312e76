import type { PreparedRun } from './preparedRun';
import { runKeyName } from './sentTexts';

/** The body around the exact text of the prompt (protocol 1.5): no number of it passes through a JSON writer. */
export function submissionText(run: PreparedRun, clientId: string, isLocal: boolean): string {
  const { promptText, promptId, choices, partnerKey, workflowText } = run;
  const { targets = [] } = choices;
  const extraData = [
    // A local server sends previews only when it is told how to make them.
    ...(isLocal ? [member('preview_method', '"auto"')] : []),
    member(runKeyName, JSON.stringify(promptId)),
    ...(partnerKey === undefined ? [] : [member('api_key_comfy_org', JSON.stringify(partnerKey))]),
    ...(workflowText === undefined ? [] : [member('extra_pnginfo', `{${member('workflow', workflowText)}}`)]),
  ];
  const members = [
    member('client_id', JSON.stringify(clientId)),
    ...(isLocal ? [member('prompt_id', JSON.stringify(promptId))] : []),
    ...(isLocal && choices.next ? [member('front', 'true')] : []),
    ...(targets.length > 0 ? [member('partial_execution_targets', JSON.stringify(targets))] : []),
    member('extra_data', `{${extraData.join(',')}}`),
    member('prompt', promptText),
  ];
  return `{${members.join(',')}}`;
}

function member(name: string, valueText: string): string {
  return `${JSON.stringify(name)}:${valueText}`;
}
