/**
 * A state machine as a table: the next state for each event in each state. Every cell is written down;
 * `never` marks the ones that the code around the table rules out, so that reaching one is a bug.
 */
export type Transitions<State extends string, Event extends string> = {
  readonly [state in State]: { readonly [event in Event]: State | typeof never }
}

export const never = undefined

/** Returns the next state; throws if the table says that this cannot happen. */
export function follow<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  state: State,
  event: Event,
): State {
  const next = table[state][event]
  if (next === never) throw new Error(`"${event}" cannot happen in the state "${state}".`)
  return next
}
