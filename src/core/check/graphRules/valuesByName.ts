import { exactEquals } from '../../json/exactEquals';
import { exactValue } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { replaceValue, setProperty, type TextEdit, sourceTextIn } from '../../json/textEdit';
import { isControlMode } from '../../workflow/graph/extraWidgets';
import { hasShownRows, isWidgetType } from '../../workflow/graph/widgets';
import { widgetsByName, nodeWidgetValues, type WidgetValue } from '../../workflow/graph/widgetValues';
import type { FixHint } from '../finding';
import { isOfPack } from '../flexibleClass';
import { type GraphRule, graphNodeLabel } from '../graphRule';
import { textsFix } from '../rule';
import { shownExact } from '../wording';
import { listText, t } from '../../safety/localize';

/** Values shift when a node type gains or loses a widget. One wrong value isn't a shift, two are. */
export const widgetValues: GraphRule = ({ level, definitionOf }, report) => {
  for (const node of level.nodes) {
    const definition = definitionOf(node);
    const list = node.widgetsValues;
    if (!definition || list?.kind !== 'array' || list.items.length === 0) continue;
    const widgets = nodeWidgetValues(node, definition).filter(({ widget }) => widget.isStored);
    const wrong = widgets.filter(isOutOfPlace);
    const first = wrong[0];
    // If the values have names, too, `widget-names` reports the shift.
    if (first?.valueNode && wrong.length > 1 && !node.namedValues) {
      report({
        code: 'widget-shifted',
        range: first.valueNode,
        // The values after it are shifted as well, whether they look like it or not.
        explains: [
          { offset: first.valueNode.offset, length: list.offset + list.length - first.valueNode.offset },
        ],
        message: t`The widget values of ${graphNodeLabel(node)} seem to be shifted. ${wrong.length} of them don't fit, starting at ${first.widget.name}. The node type may have changed. Set them again.`,
      });
    }
    // Values missing at the end get their defaults; only those without one are lost.
    const missing = widgets.filter(
      ({ widget, value }) => widget.isSent && widget.spec && value === undefined,
    );
    if (missing.length === 0) continue;
    const linked = new Set(node.inputs.flatMap((slot) => (slot.link === undefined ? [] : [slot.name])));
    const names = missing.map(({ widget }) => widget.name).filter((name) => !linked.has(name));
    if (names.length === 0) continue;
    report({
      code: 'widget-count',
      range: list,
      message: t`${graphNodeLabel(node)} has no value for ${names.slice(0, 6).join(', ')}, and there is no default. Choose a value.`,
    });
  }
};

function isOutOfPlace({ widget, valueNode, value }: WidgetValue): boolean {
  if (!valueNode || !widget.spec) return false;
  // Lists of models are long, and nearly all values of combos are texts.
  if (widget.spec.kind === 'combo' && valueNode.kind === 'string') return false;
  // As it was read: a pack may make something else of the element at this position.
  if (value === undefined || value === null) return false;
  switch (widget.spec.kind) {
    case 'int':
    case 'float':
      return typeof value === 'string' ? !Number.isFinite(Number(value)) : typeof value === 'boolean';
    case 'boolean':
      return typeof value === 'string' && !/^(?:true|false)$/i.test(value);
    case 'combo': {
      const { choices } = widget.spec;
      const isText = choices.length > 0 && choices.every((choice) => typeof choice === 'string');
      return isText && !choices.some((choice) => exactEquals(choice, value));
    }
    case 'string':
      return typeof value === 'boolean';
    default:
      return false;
  }
}

/**
 * Values stored by name alone. Packs that store an object instead of a list read it in their own code; for all other
 * nodes the editor expects a list, and falls back to the defaults (workflows 2, B).
 */
export const valuesByName: GraphRule = ({ level, graph, definitionOf }, report) => {
  const { text } = graph.document;
  for (const node of level.nodes) {
    const { widgetsValues: saved, namedValues } = node;
    const values = saved?.kind === 'object' ? saved : saved?.kind === 'array' ? undefined : namedValues;
    const definition = values && definitionOf(node);
    if (!values || !definition || (values === saved && isOfPack(definition))) continue;
    const stored = nodeWidgetValues(node, definition).filter(({ widget }) => widget.isStored);
    const lost = stored.flatMap(({ widget, valueNode }) => (valueNode ? [widget.name] : []));
    if (lost.length === 0) continue;
    const named = lost.slice(0, 4).join(', ');
    const rest = lost.length - 4;
    const edit = setProperty(text, node.node, 'widgets_values', listOf(stored, text));
    report({
      code: 'editor-values-by-name',
      range: node.node.properties.find(({ value }) => value === values)?.key ?? values,
      message: t`${graphNodeLabel(node)} stores its widget values by name, but the ComfyUI editor expects a list, so it loses ${rest > 0 ? t`${named} and ${rest} more` : named}. Convert them to a list.`,
      fix: textsFix(t`Convert Widget Values to a List`, [edit]),
    });
  }
};

/** The node type has changed since the file was saved, or a program changed only the list (workflows 2, B). */
export const namesAndPositions: GraphRule = ({ level, graph, definitionOf }, report) => {
  for (const node of level.nodes) {
    const { namedValues: names, widgetsValues: list } = node;
    const definition = names && list?.kind === 'array' ? definitionOf(node) : undefined;
    if (!definition || !names || !list) continue;
    const differ = nodeWidgetValues(node, definition).flatMap((each) => {
      const named = each.widget.isStored ? names.get(each.widget.name) : undefined;
      const value = each.valueNode ? exactValue(each.valueNode) : each.value;
      const byName = named && exactValue(named);
      const isSame = byName === undefined || (value !== undefined && exactEquals(value, byName));
      return isSame ? [] : [{ ...each, value, byName }];
    });
    const [first] = differ;
    if (!first || !differ.some(({ widget }) => widget.isSent || widget.spec?.kind === 'dynamicGroup'))
      continue;
    const listed = differ.slice(0, 4).map(({ widget, value, byName }) => {
      return value === undefined
        ? t`${widget.name} (by name ${shownExact(byName)})`
        : t`${widget.name} (${shownExact(value)}, by name ${shownExact(byName)})`;
    });
    const rest = differ.length - listed.length;
    const those = listText(rest > 0 ? [...listed, t`${rest} more`] : listed);
    const byName = listOf(widgetsByName(node, definition), graph.document.text);
    report({
      code: 'widget-names',
      range: first.valueNode ?? list,
      message: t`The widget values of ${graphNodeLabel(node)} don't match those by name: ${those}. The list is used. If the node type has changed since the file was saved, use the values by name.`,
      fix: textsFix(t`Use the Values by Name`, [replaceValue(list, byName)], true),
    });
  }
};

/** Values that a widget can't have, and groups of rows that the editor does not show (workflows 2, B and C). */
export const unreadValues: GraphRule = ({ level, graph, definitionOf }, report) => {
  const code = 'editor-other-values';
  for (const node of level.nodes) {
    const definition = definitionOf(node);
    if (!definition) continue;
    const hidden = definition.inputs.find(({ spec }) => spec.kind === 'dynamicGroup' && !hasShownRows(spec));
    if (hidden) {
      const range = node.node.get('type') ?? node.node;
      const message = t`The ComfyUI editor shows only a placeholder for ${graphNodeLabel(node)}, because it can't show the rows of ${hidden.name}, and loses its values. Don't save the file there.`;
      report({ code, range, message });
    }
    const widgets = nodeWidgetValues(node, definition);
    for (const { widget, refused } of widgets) {
      if (!refused) continue;
      const name = graphNodeLabel(node);
      if (widget.spec?.kind === 'dynamicGroup') {
        const message = t`${name} has too few values for its rows of ${widget.name}, so they and all values after them are reset, as in the ComfyUI editor. Correct the number of rows.`;
        report({ code, range: refused, message });
        continue;
      }
      const value = shownExact(exactValue(refused));
      const message = t`${name} has ${value} where ${widget.name} belongs. The ComfyUI editor would send it, but Comfy Deck sends the default. Write the default into the list.`;
      const list = node.widgetsValues;
      const fix = list && writtenAsRead([replaceValue(list, listOf(widgets, graph.document.text))]);
      report({ code, range: refused, message, fix });
    }
  }
};

/** Values of inputs whose widgets only a node pack's JavaScript knows: they are sent as the file has them. */
export const uncheckedValues: GraphRule = ({ level, definitionOf }, report) => {
  for (const node of level.nodes) {
    const definition = node.mode === 'always' ? definitionOf(node) : undefined;
    if (!definition) continue;
    for (const { widget, valueNode } of nodeWidgetValues(node, definition)) {
      if (!valueNode || widget.spec?.kind !== 'socket' || isWidgetType(widget.spec.type)) continue;
      report({
        code: 'value-not-checked',
        range: valueNode,
        message: t`${widget.name} of ${graphNodeLabel(node)} is of the type ${widget.spec.type}, for which only its node pack has a widget. The value is sent without being checked.`,
      });
    }
  }
};

/** A fix after which the editor reads a file as it is read here. */
export function writtenAsRead(edits: readonly TextEdit[]): FixHint | undefined {
  return textsFix(t`Write the Values That Are Used`, edits);
}

function listOf(widgets: readonly WidgetValue[], text: string): string {
  const stored = widgets.filter(({ widget }) => widget.isStored);
  return `[${stored.map((each) => valueText(each, text)).join(', ')}]`;
}

function valueText({ widget, value, valueNode }: WidgetValue, text: string): string {
  if (valueNode) return sourceTextIn(text, valueNode);
  // A seed in the file is meant to stay.
  if (!widget.spec && isControlMode(widget.defaultValue)) return '"fixed"';
  return value === undefined ? 'null' : writeExact(value);
}
