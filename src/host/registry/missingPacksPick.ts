import * as vscode from 'vscode';
import { mapDefined } from '../../core/safety/lists';
import {
  type LookedUp,
  missingPacks,
  type MissingPacks,
  type NamedPack,
} from '../../core/registry/missingPacks';
import type { UnknownClass } from '../../core/registry/packAnswer';
import type { PackCard } from '../../core/registry/packCard';
import { ServerError } from '../../core/protocol/serverError';
import { nodeTypesText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { packRow } from './packSearch';
import type { Registry } from './registries';
import { type ListRow, pickOne, showCancellable } from '../platform/show';

const atOnce = 4;

/** The next step for a ComfyUI node type that a server lacks. */
export const coreAdvice = shown`This server is too old or doesn't include it. Update the server, or select another one.`;

type Row = ListRow & {
  readonly choice?: MissingChoice;
  readonly copy?: string;
};

/** The next view that the user chose. */
export type MissingChoice =
  | { readonly kind: 'pack'; readonly card: PackCard }
  | { readonly kind: 'install'; readonly id: string }
  | { readonly kind: 'search'; readonly words: string }
  | { readonly kind: 'repository'; readonly address: string }
  | { readonly kind: 'otherServer' };

/** Looks up the packs of unknown node types, with cancellable progress. */
export function lookUpPacks(registry: Registry, unknown: readonly UnknownClass[]): Thenable<MissingPacks> {
  const title = shown`Looking up ${nodeTypesText(unknown.length)} in the node registry`;
  return showCancellable(title, async (signal, progress) => {
    const answers = new Map<string, LookedUp>();
    const rest = unknown[Symbol.iterator]();
    // Each worker takes the next node type from the same list; nothing is requested after a cancellation.
    const ask = async (): Promise<void> => {
      for (const each of rest) {
        if (signal.aborted) return;
        answers.set(each.classType, await lookUp(registry, each, signal));
        progress.report({
          increment: 100 / unknown.length,
          message: shown`${answers.size} of ${unknown.length}`,
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
    signal.throwIfAborted();
    return missingPacks(mapDefined(unknown, ({ classType }) => answers.get(classType)));
  });
}

async function lookUp(registry: Registry, unknown: UnknownClass, signal: AbortSignal): Promise<LookedUp> {
  try {
    return { unknown, answer: await registry.lookup.find(unknown, signal) };
  } catch (error) {
    return { unknown, error };
  }
}

/**
 * Lists the packs; undefined when the user cancels or only copied the list.
 * @param installer name of the server that can install them
 */
export async function chooseMissing(
  found: MissingPacks,
  file: string,
  installer: string | undefined,
): Promise<MissingChoice | undefined> {
  const chosen = await pickOne<Row>([...rows(found), ...installRows(found, installer)], {
    title: shown`Missing Packs: ${file}`,
    placeHolder: shown`${summary(found)}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.copy !== undefined) await vscode.env.clipboard.writeText(chosen.copy);
  return chosen?.choice;
}

function summary({ packs, named, core, without, failed }: MissingPacks): string {
  const known = packs.length + named.length;
  return [
    t`Node packs: ${known}`,
    ...some(core.length, (n) => t`Part of ComfyUI: ${nodeTypesText(n)}`),
    ...some(without.length, (n) => t`No pack found for ${nodeTypesText(n)}`),
    ...some(failed.length, (n) => t`Lookup failed for ${nodeTypesText(n)}`),
  ].join(', ');
}

function some(count: number, words: (count: number) => string): string[] {
  return count > 0 ? [words(count)] : [];
}

function rows({ packs, named, core, without, failed }: MissingPacks): Row[] {
  const [trouble] = failed;
  return [
    ...packs.map(({ card, classTypes, isSure }) => {
      const { label, description, detail } = packRow(card);
      const types = shownList(classTypes);
      const brings = isSure ? shown`Provides ${types}` : shown`May provide ${types}`;
      const warning = card.warnings.length > 0 ? detail : undefined;
      return {
        label,
        description,
        detail: Shown.join([warning, brings]),
        choice: { kind: 'pack' as const, card },
      };
    }),
    ...named.map(namedRow),
    ...(core.length > 0
      ? [
          {
            label: shown`$(server) ${shownList(core)}`,
            description: shown`part of ComfyUI`,
            detail: coreAdvice,
            choice: { kind: 'otherServer' as const },
          },
        ]
      : []),
    ...without.map((classType) => ({
      label: shown`$(question) ${classType}`,
      description: shown`no known pack`,
      detail: shown`Search the registry for it.`,
      choice: { kind: 'search' as const, words: classType },
    })),
    ...(trouble
      ? [
          {
            label: shown`$(warning) Lookup failed: ${shownList(failed.map(({ classType }) => classType))}`,
            detail: ServerError.is(trouble.error)
              ? shown`${trouble.error.message}`
              : shown`The node registry couldn't be reached.`,
          },
        ]
      : []),
    ...(packs.length + named.length > 0
      ? [
          { label: shown``, isSeparator: true },
          {
            label: shown`$(copy) Copy the IDs of These Packs`,
            copy: [...packs.map(({ card }) => card.id), ...named.map(({ name }) => name)].join('\n'),
          },
        ]
      : []),
  ];
}

function installRows({ packs }: MissingPacks, installer: string | undefined): Row[] {
  if (installer === undefined) return [];
  return packs.flatMap(({ card: { id, name, withdrawn } }): Row[] =>
    withdrawn
      ? []
      : [
          {
            label: shown`$(cloud-download) Install ${name} on ${installer}…`,
            choice: { kind: 'install', id },
          },
        ],
  );
}

/** The registry doesn't know it, but the file names it. */
function namedRow({ name, repository, classTypes }: NamedPack): Row {
  return {
    label: shown`$(package) ${name}`,
    description:
      repository === undefined ? shown`named in the file` : shown`${t`named in the file`} · ${'GitHub'}`,
    detail: Shown.join(
      [
        shown`Provides ${shownList(classTypes)}`,
        repository === undefined ? shown`Search the registry for it.` : shown`Open its repository.`,
      ],
      shown` · `,
    ),
    choice:
      repository === undefined
        ? { kind: 'search', words: name }
        : { kind: 'repository', address: `https://github.com/${repository}` },
  };
}
