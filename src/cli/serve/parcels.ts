/** Things on their way to a process that says what has arrived. */
export interface Parcels<Thing> {
  /** Resolves to whether it has arrived. */
  send(thing: Thing): Promise<boolean>
  arrived(id: number): void
  /** Nothing will arrive any more. */
  close(): void
  /** How many are on their way. */
  size(): number
}

/** Numbers what is sent over a channel that keeps the order. */
export function createParcels<Thing>(
  dispatch: (id: number, thing: Thing, failed: () => void) => void,
): Parcels<Thing> {
  const underWay = new Map<number, (arrived: boolean) => void>()
  let last = 0
  let isClosed = false
  const settle = (id: number, arrived: boolean): void => {
    underWay.get(id)?.(arrived)
    underWay.delete(id)
  }
  return {
    send(thing) {
      const id = ++last
      return new Promise((resolve) => {
        if (isClosed) return resolve(false)
        underWay.set(id, resolve)
        dispatch(id, thing, () => settle(id, false))
      })
    },
    arrived(id) {
      for (const earlier of underWay.keys()) {
        if (earlier >= id) break
        // One of a later number is there: the receiver had no file descriptor left for this one.
        settle(earlier, false)
      }
      settle(id, true)
    },
    close() {
      isClosed = true
      for (const id of underWay.keys()) settle(id, false)
    },
    size: () => underWay.size,
  }
}
