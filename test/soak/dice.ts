/** Choices from a source of random numbers, repeatable with the same seed. */
export class Dice {
  constructor(private readonly random: () => number) {}

  /** An integer, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** @throws RangeError for an empty list. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.random() * choices.length)];
    if (choice === undefined) throw new RangeError('There is nothing to choose from.');
    return choice;
  }
}
