/** A function that throws this. */
export function thrower(thrown: unknown): () => never {
  return () => {
    throw thrown
  }
}
