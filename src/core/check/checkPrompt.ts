import type { Prompt } from '../workflow/prompt';
import type { CheckContext } from './checkContext';
import { BoundedFindings } from './rule';
import { silenceEffects } from './consequences';
import { validatorsFor } from './knownValidators';
import type { PromptCheck } from './promptCheck';
import { viewPrompt } from './promptView';
import { reachFromOutputs } from './promptView';
import {
  type InputRule,
  inputSubject,
  type NodeRule,
  type PromptRule,
  type Report,
  type RuleContext,
} from './rule';
import { classMarks } from './rules/classState';
import { unknownClasses } from './rules/classTypes';
import { cycles } from './rules/loopEnds';
import { droppedOutputs } from './rules/promptShape';
import { dynamicKeys } from './rules/missingInputs';
import { fileNames } from './rules/filesOnServer';
import { groupSize } from './rules/promptShape';
import { checkedLinks } from './rules/linkForm';
import { literalOnSocket } from './rules/literals';
import { loopEnds } from './rules/loopEnds';
import { convertedValues } from './rules/literals';
import { missingInputs } from './rules/missingInputs';
import { noOutputs } from './rules/promptShape';
import { nonFinite } from './rules/literals';
import { unlistedOptions } from './rules/options';
import { placeholders } from './rules/placeholders';
import { promptShape } from './rules/promptShape';
import { valuesOutOfRange } from './rules/literals';
import { replacedClasses } from './rules/classState';
import { serverWords } from './rules/serverWords';
import { valuesOffStep } from './rules/literals';
import { structuralLinks } from './rules/linkForm';
import { undeclaredLinks } from './rules/undeclaredLinks';
import { unknownInputs } from './rules/unknownInputs';
import { unusedNodes } from './rules/promptShape';
import { uploads } from './rules/filesOnServer';
import { valueTypes } from './rules/literals';
import { isLenient } from './serverVersion';
import { boundedSimilarNames } from './similarNames';
import { predictVerdict } from './verdict';
import { t } from '../safety/localize';

const promptRules: readonly PromptRule[] = [
  promptShape,
  nonFinite,
  noOutputs,
  cycles,
  loopEnds,
  undeclaredLinks,
  droppedOutputs,
];
const nodeRules: readonly NodeRule[] = [
  replacedClasses,
  structuralLinks,
  missingInputs,
  groupSize,
  dynamicKeys,
  unknownInputs,
  classMarks,
  unusedNodes,
  placeholders,
];
const inputRules: readonly InputRule[] = [
  checkedLinks,
  literalOnSocket,
  valueTypes,
  fileNames,
  valuesOutOfRange,
  valuesOffStep,
  unlistedOptions,
  uploads,
  convertedValues,
];

/** Predicts the verdict and runs every rule. `isJson` is false for invalid text, which no server judges. */
export function checkPrompt(prompt: Prompt, context: CheckContext, isJson: boolean): PromptCheck {
  const { catalog, replacements = new Map(), targets = [], isLocal, isForRun, signal } = context;
  const validators = context.validators ?? (catalog ? validatorsFor(prompt, catalog) : new Map());
  const view = viewPrompt(prompt, catalog, replacements);
  const lenient = catalog && isLenient(catalog, context.serverVersion);
  const verdict =
    catalog && isJson
      ? predictVerdict(prompt, catalog, {
          validators,
          replacements,
          isLenient: lenient ?? false,
          addsTitles: isForRun === true,
          partialTargets: targets.length > 0 ? targets : undefined,
        })
      : undefined;
  const reach = reachFromOutputs(view, targets);
  const server = context.serverName ?? t`the server`;
  const similar = boundedSimilarNames();
  const ruleContext: RuleContext = {
    view,
    reach,
    verdict,
    validators,
    replacements,
    aliases: context.aliases,
    isLenient: lenient,
    server,
    isLocal,
    similar,
  };
  const ruleFindings = new BoundedFindings();
  const report: Report = (ruleFinding) => ruleFindings.add(ruleFinding);
  for (const rule of [...promptRules, unknownClasses(context)]) rule(ruleContext, report);
  for (const node of view.nodes.values()) {
    signal?.throwIfAborted();
    for (const rule of nodeRules) rule(node, ruleContext, report);
    for (const declared of node.declared.values()) {
      const subject = inputSubject(node, declared, ruleContext);
      if (subject) for (const rule of inputRules) rule(subject, ruleContext, report);
    }
  }
  silenceEffects(ruleFindings.list, context);
  if (verdict)
    for (const ruleFinding of serverWords(verdict, ruleFindings.list, server)) ruleFindings.add(ruleFinding);
  return {
    ruleFindings: ruleFindings.list,
    omitted: ruleFindings.omitted,
    verdict,
    reach,
    nodes: view.nodes,
  };
}
