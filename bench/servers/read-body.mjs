/** Collects a body by events, which is the cheapest way, and gives it as text. */
export function readBody(incoming, done) {
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    done((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString())
  })
}
