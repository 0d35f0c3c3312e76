type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Leaves out what is undefined: the options of VS Code are there or absent. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
