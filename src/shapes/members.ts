/**
 * Copies the members that `in` sees, except those of every object, into own members: a spread would drop
 * inherited ones.
 */
export function membersOf<Options extends object>(options: Options): Options {
  const members = new Map<string, unknown>()
  let holder: object | null = options
  while (holder !== null && holder !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (name !== 'constructor') members.set(name, options[name as keyof Options])
    }
    holder = Object.getPrototypeOf(holder) as object | null
  }
  return Object.fromEntries(members) as Options
}
