/**
 * A state machine as a table: the next state for each event in each state. Every cell is written down;
 * `never` marks the ones that the code around the table rules out, so that reaching one is a bug. A cell may
 * also hold something else that the event leads to, a `Way`.
 */
export type Transitions<State extends string, Event extends string, Way = State> = {
  readonly [state in State]: { readonly [event in Event]: Way | typeof never }
}

export const never = undefined

/** Returns the next state; throws if the table says that this cannot happen. */
export function follow<State extends string, Event extends string, Way>(
  table: Transitions<State, Event, Way>,
  state: State,
  event: Event,
): Way {
  const next = table[state][event]
  if (next === never) throw new Error(`"${event}" cannot happen in the state "${state}".`)
  return next
}
