import { isExactList } from '../../json/exactValue';
import { areCompatible } from '../typeCompatibility';
import { typeAtSlot } from '../links';
import { PythonRaise } from '../pythonRaise';
import { classPlace, type InputRule, checkedNodeName, valuePlace } from '../rule';
import { failsOnName } from '../validators';
import { shownType } from '../wording';
import { t } from '../../safety/localize';

/** Links whose output does not match the input (workflows 4.4). */
export const linkTypes: InputRule = ({ node, declared, value, validator }, { view }, report) => {
  if (!isExactList(value) || value.length !== 2 || validator?.takesTypes === true) return;
  const target = typeof value[0] === 'string' ? view.nodes.get(value[0]) : undefined;
  if (!target?.definition) return;
  const { spec, name } = declared;
  if (failsOnName(validator, name, null)) return;
  const place = valuePlace(node, name);
  try {
    const slot = value[1] ?? null;
    const received = typeAtSlot(target.definition, slot, { nodeId: node.id, range: place.range });
    const wanted = spec.kind === 'dynamicSlot' ? spec.slotType : spec.rawType;
    if (areCompatible(received, wanted)) return;
    const output = typeof slot === 'bigint' ? target.definition.outputs[Number(slot)]?.name : undefined;
    const given = shownType(received);
    const named = output === undefined || output === '' || output === given ? given : `${output} (${given})`;
    report({
      code: 'link-type',
      ...place,
      linksTo: target.id,
      message: t`${name} needs ${shownType(wanted)}, but that output of ${checkedNodeName(target)} is ${named}. Link to a compatible output.`,
      counts: 'checked',
      related: [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }],
      fix: { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type },
    });
  } catch (error) {
    // No such slot: another rule reports it.
    if (!(error instanceof PythonRaise)) throw error;
  }
};
