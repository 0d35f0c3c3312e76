const editorTypes = new Set(['Reroute', 'Note', 'MarkdownNote', 'PrimitiveNode']);
const subgraphId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const longestName = 200;

/** Types that the editor makes itself: no pack provides them (protocol 6.2). */
export function isEditorOnly(classType: string): boolean {
  return editorTypes.has(classType) || /^workflow[/>]/.test(classType) || subgraphId.test(classType);
}

/** Whether a name can be one segment of an address: dots alone would climb out of it. */
export function isAskable(name: string): boolean {
  return name.trim() !== '' && name.length <= longestName && !/^\.{1,2}$/.test(name) && isEncodable(name);
}

/** Half a surrogate pair cannot be written in an address. */
function isEncodable(name: string): boolean {
  try {
    encodeURIComponent(name);
    return true;
  } catch {
    return false;
  }
}
