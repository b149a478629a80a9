/** Smaller texts: halves and ever smaller pieces left out, then characters made plain. */
export function* smallerTexts(text: string): Generator<string> {
  for (const [at, end] of piecesOf(text)) yield text.slice(0, at) + text.slice(end)
  // Towards one letter, which always ends.
  for (const { index } of text.matchAll(/[b-zA-Z0-9]/g)) {
    yield `${text.slice(0, index)}a${text.slice(index + 1)}`
  }
}

/** Smaller lists: halves and single members left out, then members made smaller. */
export function* smallerLists<Item>(
  list: readonly Item[],
  smallerItem: (item: Item) => Iterable<Item>,
): Generator<Item[]> {
  for (const [at, end] of piecesOf(list)) yield [...list.slice(0, at), ...list.slice(end)]
  for (const [at, item] of list.entries()) {
    for (const smaller of smallerItem(item)) yield list.with(at, smaller)
  }
}

/** Where halves and ever smaller pieces begin and end. */
function* piecesOf({ length }: { readonly length: number }): Generator<[at: number, end: number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = 0; at < length; at += size) yield [at, at + size]
  }
}
