/** The port to listen on, on 127.0.0.1 only. */
export const port = Number(process.env.PORT ?? 4000)

/** What each server says when it takes connections; `graphql` is the version it runs on, where that is in question. */
export function ready(graphql) {
  if (process.send) process.send({ ready: true, graphql })
  else console.log(`ready at http://127.0.0.1:${port}/graphql`)
}
