/** Smaller texts: halves and ever smaller pieces left out, then characters made plain. */
export function* smallerTexts(text: string): Generator<string> {
  for (
    let size = Math.ceil(text.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let at = 0; at < text.length; at += size) yield text.slice(0, at) + text.slice(at + size)
  }
  // Towards one letter, which always ends.
  for (let at = 0; at < text.length; at++) {
    const plainer = /[b-zA-Z0-9]/.test(text[at] as string) ? 'a' : undefined
    if (plainer !== undefined) yield text.slice(0, at) + plainer + text.slice(at + 1)
  }
}

/** Smaller lists: halves and single members left out, then members made smaller. */
export function* smallerLists<Item>(
  list: readonly Item[],
  smallerItem: (item: Item) => Iterable<Item>,
): Generator<Item[]> {
  for (
    let size = Math.ceil(list.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let at = 0; at < list.length; at += size) {
      yield [...list.slice(0, at), ...list.slice(at + size)]
    }
  }
  for (const [at, item] of list.entries()) {
    for (const smaller of smallerItem(item)) yield list.with(at, smaller)
  }
}
