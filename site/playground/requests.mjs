const usual = {
  method: 'POST',
  target: '/graphql',
  accept: 'application/graphql-response+json, application/json;q=0.9',
  headers: 'Content-Type: application/json',
  body: ask('{ hello }'),
  edition: '2026-09',
}

/** A request for each kind of response. */
export const presets = {
  200: usual,
  294: { ...usual, body: ask('{ hello weather }') },
  406: { ...usual, accept: 'text/csv' },
  415: { ...usual, headers: 'Content-Type: text/plain' },
  422: { ...usual, body: ask('{ nope }') },
  Stream: { ...usual, accept: 'text/event-stream', body: ask('subscription { ticks }') },
}

/** The fragment of a URL for a request: the parts that differ from the default. */
export function toFragment(request) {
  const changed = Object.entries(request).filter(([name, value]) => value !== usual[name])
  return `#${new URLSearchParams(changed)}`
}

/** The request of a fragment; undefined if it has none. */
export function fromFragment(fragment) {
  const members = [...new URLSearchParams(fragment.slice(1))].filter(([name]) =>
    Object.hasOwn(usual, name),
  )
  return members.length === 0 ? undefined : { ...usual, ...Object.fromEntries(members) }
}

function ask(query) {
  return JSON.stringify({ query })
}
