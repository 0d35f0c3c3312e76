/** An ID that is one word to a shell and can't be mistaken for an option. */
const plainId = /^[A-Za-z0-9][\w.-]{0,199}$/;

/** The comfy-cli command that installs a pack; undefined if its ID can't be typed safely. */
export function installLine(id: string): string | undefined {
  return plainId.test(id) ? `comfy node install ${id}` : undefined;
}
