import type { RegistryNode } from '../protocol/registry/registryNode';

/**
 * A pack with its texts in a language, such as `de` or `zh-cn`, if the registry has them: first in that language,
 * then in any other variety of it.
 */
export function translated(pack: RegistryNode, language: string): RegistryNode {
  const languages = Object.entries(pack.translations ?? {});
  const wanted = language.toLowerCase();
  const [, words] =
    languages.find(([name]) => name.toLowerCase() === wanted) ??
    languages.find(([name]) => baseOf(name) === baseOf(wanted)) ??
    [];
  if (!words) return pack;
  const { name = pack.name, description = pack.description } = words;
  return { ...pack, name, description };
}

function baseOf(language: string): string | undefined {
  return language.toLowerCase().split(/[-_]/)[0];
}
