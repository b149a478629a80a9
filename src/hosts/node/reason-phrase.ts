/** The reason phrase of a status that Node has no phrase for, of those that the engine sends. */
export function reasonPhrase(status: number): string | undefined {
  return status === 294 ? 'Partial Success' : undefined
}
