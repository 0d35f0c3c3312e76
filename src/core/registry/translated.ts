import type { RegistryNode } from '../protocol/registry/registryNode';

/**
 * A pack with its words in a language, such as `de` or `zh-cn`, where the registry has them: first that language, then
 * any other variety of it.
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
