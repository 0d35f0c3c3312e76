import type { FaultController } from './faultController';

/** Plays the `rawStates` fault: one state per read, then none. */
export class RawStates {
  #told = 0;

  constructor(private readonly faults: FaultController) {
    faults.onChange((name) => {
      if (name === 'rawStates') this.#told = 0;
    });
  }

  next(): string | undefined {
    const states = this.faults.look('rawStates')?.states;
    const state = states?.[this.#told];
    if (states && state === undefined) this.faults.clear('rawStates');
    else this.#told++;
    return state;
  }
}
