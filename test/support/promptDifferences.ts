/** A prompt as JSON.parse reads it. */
export type PlainPrompt = Record<
  string,
  { class_type?: string; inputs: Record<string, unknown>; _meta: { title?: string } }
>;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** The differences between two prompts, one per line. */
export function differences(ours: PlainPrompt, real: PlainPrompt, isPartly: boolean): string[] {
  const found: string[] = [];
  // For a file with unregistered types, only the values between known nodes are a reference.
  const isUnknown = (value: unknown): boolean => {
    return isPartly && Array.isArray(value) && real[String(value[0])]?.class_type === undefined;
  };
  for (const id of new Set([...Object.keys(real), ...Object.keys(ours)])) {
    const [a, b] = [ours[id], real[id]];
    if (isPartly && b?.class_type === undefined) continue;
    if (!a || !b) {
      found.push(`${id}: ${a ? 'too much' : 'missing'} ${(a ?? b)?.class_type ?? ''}`);
      continue;
    }
    if (b.class_type !== undefined && a.class_type !== b.class_type)
      found.push(`${id}: ${a.class_type} is ${b.class_type}`);
    if (b.class_type !== undefined && a._meta.title !== b._meta.title) {
      found.push(`${id}: title ${a._meta.title} is ${b._meta.title}`);
    }
    for (const name of new Set([...Object.keys(b.inputs), ...Object.keys(a.inputs)])) {
      if (isUnknown(a.inputs[name]) || isUnknown(b.inputs[name])) continue;
      const [left, right] = [shown(a.inputs[name]), shown(b.inputs[name])];
      if (left !== right)
        found.push(`${id} ${b.class_type ?? ''}.${name}: ${left.slice(0, 150)} is ${right.slice(0, 150)}`);
    }
  }
  return found;
}
