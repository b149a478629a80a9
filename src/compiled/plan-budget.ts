/** Something with plans, such as an operation. */
export interface Budgeted {
  readonly bytes: number
  generation: number
  countedBytes: number
  drop(): void
}

/**
 * Bounds the memory of all plans of an executor. Plans are counted in two generations, as documents are in
 * their cache: what is used again moves to the young one; when that is full, the plans in the old one are
 * dropped. It keeps no operation alive.
 */
export class PlanBudget {
  #young: WeakRef<Budgeted>[] = []
  #old: WeakRef<Budgeted>[] = []
  #youngBytes = 0
  #oldBytes = 0
  #generation = 1
  readonly #maxYoung: number

  constructor(maxBytes: number) {
    this.#maxYoung = maxBytes / 2
  }

  /** Counts a use. Returns false if its plans alone are too large: then they are dropped. */
  use(operation: Budgeted): boolean {
    const { bytes } = operation
    if (operation.generation === this.#generation && operation.countedBytes === bytes) return true
    if (bytes > this.#maxYoung) {
      operation.drop()
      return false
    }
    const isYoung = operation.generation === this.#generation
    const added = isYoung ? bytes - operation.countedBytes : bytes
    if (this.#youngBytes + added > this.#maxYoung) this.#rotate()
    if (operation.generation === this.#generation) {
      this.#youngBytes += added
    } else {
      this.#youngBytes += bytes
      this.#young.push(new WeakRef(operation))
      operation.generation = this.#generation
    }
    operation.countedBytes = bytes
    return true
  }

  #rotate(): void {
    for (const reference of this.#old) {
      const operation = reference.deref()
      if (operation !== undefined && operation.generation < this.#generation) operation.drop()
    }
    this.#old = this.#young
    this.#oldBytes = this.#youngBytes
    this.#young = []
    this.#youngBytes = 0
    this.#generation += 1
  }

  get plans(): number {
    return this.#young.length + this.#old.length
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }
}
