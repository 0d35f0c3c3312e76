import { copyFile, lstat, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { listAt } from '../core/safety/lists';
import { compareOutput, differentSizes, type OutputComparison } from '../core/comparison/compareOutput';
import { differencePicture } from '../core/comparison/differencePicture';
import { expectedExtension, stemOfExpected } from '../core/comparison/expectedName';
import { encodePixels, pngPixels } from '../core/comparison/pngPixels';
import { removeFile } from '../core/outputs/changeFile';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { OutputError } from '../core/outputs/outputError';
import { temporaryName } from '../core/outputs/ownerStamp';
import { replaceWhole } from '../core/outputs/writeWhole';
import { budgets } from '../core/safety/budgets';
import { t } from '../core/safety/localize';
import { groupByKey } from '../core/workflow/graph/grouped';
import { CommandProblem } from './commandProblem';
import type { TestStatus } from './jsonEvents';

/** An output of a run, in a temporary folder. */
export interface MadeOutput {
  /** The name that it would be kept under, without extension. */
  readonly stem: string;
  readonly nodeId: string;
  readonly title?: string | undefined;
  readonly folder: NodeFolder;
  readonly name: string;
}

export interface TestedOutput {
  readonly output: string;
  readonly nodeId?: string | undefined;
  readonly title?: string | undefined;
  readonly status: TestStatus;
  readonly comparison: Partial<OutputComparison>;
  readonly difference?: string | undefined;
  readonly actual?: string | undefined;
}

export interface ExpectedFolder {
  /** The folder of the expected outputs of one workflow; it need not exist. */
  readonly folder: string;
  readonly update: boolean;
  readonly threshold?: number | undefined;
  readonly diff: string;
  readonly prefix: string;
  readonly nodeIds: readonly string[];
}

/** Names in these folders are overwritten and removed. @throws CommandProblem if one of them is a symbolic link */
export async function refuseLinks({ folder, diff }: Pick<ExpectedFolder, 'folder' | 'diff'>): Promise<void> {
  const options = [
    [folder, '--expected'],
    [diff, '--diff'],
  ] as const;
  for (const [named, option] of options) {
    // A slash at the end would follow the link.
    const status = await lstat(path.resolve(named)).catch(() => undefined);
    if (status?.isSymbolicLink())
      throw new CommandProblem(
        t`${named} is a symbolic link.`,
        t`Replace it with a folder, or choose another one with ${option}.`,
      );
  }
}

/** With `update`, whatever doesn't pass is replaced by what was made. @throws OutputError, CommandProblem */
export async function compareToExpected(
  made: readonly MadeOutput[],
  expected: ExpectedFolder,
): Promise<TestedOutput[]> {
  await refuseLinks(expected);
  return new Comparing(expected, await namesByStem(expected)).go(made);
}

async function namesByStem({ folder, nodeIds }: ExpectedFolder): Promise<Map<string, string[]>> {
  const names = (await new NodeFolder(folder).list()).filter(
    (name) => stemOfExpected(name, nodeIds) !== undefined,
  );
  return groupByKey([...names].sort(), (name) => stemOfExpected(name, nodeIds) ?? name);
}

class Comparing {
  readonly #folder: NodeFolder;
  readonly #differences: NodeFolder;

  constructor(
    private readonly expected: ExpectedFolder,
    /** Expected files that are not compared yet. */
    private readonly names: Map<string, string[]>,
  ) {
    this.#folder = new NodeFolder(expected.folder);
    this.#differences = new NodeFolder(expected.diff);
  }

  async go(made: readonly MadeOutput[]): Promise<TestedOutput[]> {
    const tested: TestedOutput[] = [];
    for (const output of made) tested.push(await this.#compare(output));
    for (const name of [...this.names.values()].flat()) {
      if (this.expected.update) await this.#folder.remove(name);
      tested.push({ output: name, status: this.expected.update ? 'removed' : 'missing', comparison: {} });
    }
    return tested;
  }

  async #compare(made: MadeOutput): Promise<TestedOutput> {
    const { stem, nodeId, title } = made;
    const name = stem + expectedExtension(made.name);
    // Of an earlier test.
    await this.#differences.remove(this.#differenceName(stem));
    await this.#differences.remove(this.#actualName(name));
    const expectedName = this.#take(stem, name);
    const { update, folder } = this.expected;
    const output = { output: name, nodeId, title, comparison: {} };
    if (expectedName === undefined) {
      if (!update) return { ...output, status: 'notKept', actual: await this.#show(made, name) };
      await copyInto(folder, made, name);
      return { ...output, status: 'kept' };
    }
    const { pictures, ...comparison } = await this.#look(made, name, expectedName);
    const compared = { ...output, output: expectedName, status: comparison.verdict, comparison };
    if (comparison.verdict !== 'different') return compared;
    if (update) {
      await copyInto(folder, made, name);
      if (expectedName !== name) await this.#folder.remove(expectedName);
      return { ...compared, output: name, status: 'updated' };
    }
    const actual = await this.#show(made, name);
    return { ...compared, actual, difference: pictures && (await this.#draw(stem, pictures)) };
  }

  /** The kept file for an output: of the same kind, if there are several. */
  #take(stem: string, name: string): string | undefined {
    const names = listAt(this.names, stem);
    const chosen = names.includes(name) ? name : names[0];
    this.names.set(
      stem,
      names.filter((each) => each !== chosen),
    );
    return chosen;
  }

  async #look(made: MadeOutput, name: string, expectedName: string): Promise<OutputComparison> {
    const extension = expectedExtension(name);
    if (expectedExtension(expectedName) !== extension) {
      const expectedEnding = expectedExtension(expectedName);
      return { verdict: 'different', message: t`The file ends in ${extension}, expected ${expectedEnding}.` };
    }
    const [expected, actual] = await Promise.all([
      this.#folder.fingerprint(expectedName),
      made.folder.fingerprint(made.name),
    ]);
    if (!expected || !actual) throw new OutputError(t`${expectedName} has since been removed.`, 'missing');
    if (expected.sha256 === actual.sha256) return { verdict: 'same' };
    if (Math.max(expected.bytes, actual.bytes) > budgets.testedBytes)
      return { verdict: 'different', message: differentSizes(expected.bytes, actual.bytes) };
    const pair = {
      extension,
      expected: await readFile(this.#folder.location(expectedName)),
      actual: await readFile(made.folder.location(made.name)),
    };
    return compareOutput(pair, this.expected.threshold, pngPixels);
  }

  async #show(made: MadeOutput, name: string): Promise<string> {
    const shown = this.#actualName(name);
    await copyInto(this.expected.diff, made, shown);
    return path.join(this.expected.diff, shown);
  }

  async #draw(stem: string, [expected, actual]: NonNullable<OutputComparison['pictures']>): Promise<string> {
    const name = this.#differenceName(stem);
    await replaceWhole(this.#differences, name, encodePixels(differencePicture(expected, actual)));
    return path.join(this.expected.diff, name);
  }

  #differenceName(stem: string): string {
    return `${this.expected.prefix}-${stem}.difference.png`;
  }

  #actualName(name: string): string {
    const extension = expectedExtension(name);
    return `${this.expected.prefix}-${name.slice(0, -extension.length)}.actual${extension}`;
  }
}

async function copyInto(target: string, { folder, name: from }: MadeOutput, name: string): Promise<void> {
  const to = new NodeFolder(target);
  const temporary = temporaryName();
  await mkdir(target, { recursive: true });
  try {
    await copyFile(folder.location(from), to.location(temporary));
    await to.replace(temporary, name);
  } finally {
    await removeFile(to.location(temporary));
  }
}
