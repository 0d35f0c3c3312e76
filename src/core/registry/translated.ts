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
  const { name, description, author, category, license, status_detail: statusDetail, tags, ...more } = words;
  return {
    ...pack,
    name: name ?? pack.name,
    description: description ?? pack.description,
    author: author ?? pack.author,
    category: category ?? pack.category,
    license: license ?? pack.license,
    statusDetail: statusDetail ?? pack.statusDetail,
    tags: tags?.split(', ') ?? pack.tags,
    moreWords: more,
  };
}

function baseOf(language: string): string | undefined {
  return language.toLowerCase().split(/[-_]/)[0];
}
