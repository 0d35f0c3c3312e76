const editorTypes = new Set(['Reroute', 'Note', 'MarkdownNote', 'PrimitiveNode']);
const subgraphId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const longestName = 200;

/** Node types that the ComfyUI editor handles itself: no pack provides them (protocol 6.2). */
export function isEditorOnly(classType: string): boolean {
  return editorTypes.has(classType) || /^workflow[/>]/.test(classType) || subgraphId.test(classType);
}

/** Whether a name can be one segment of an address: a name of dots alone would climb out of it. */
export function isAskable(name: string): boolean {
  return name.trim() !== '' && name.length <= longestName && !/^\.{1,2}$/.test(name) && isEncodable(name);
}

/** An address cannot contain half a surrogate pair. */
function isEncodable(name: string): boolean {
  try {
    encodeURIComponent(name);
    return true;
  } catch {
    return false;
  }
}
