/** Items for those who wait for them, in order. */
export function createQueue<Item>(): { put(item: Item): void; next(): Promise<Item> } {
  const items: Item[] = []
  const waiting: ((item: Item) => void)[] = []
  return {
    put(item) {
      const next = waiting.shift()
      if (next === undefined) items.push(item)
      else next(item)
    },
    next: () =>
      new Promise((resolve) => {
        const item = items.shift()
        if (item === undefined) waiting.push(resolve)
        else resolve(item)
      }),
  }
}
