/** The bytes of a request of a workload, as text; all of it is ASCII. */
export function toHttp({ method = 'POST', request }, n) {
  const { query, variables } = request(n)
  if (method === 'GET') return `GET /graphql?${new URLSearchParams({ query })}${head}\r\n`
  const body = JSON.stringify({ query, variables })
  return `POST /graphql${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

// The last is what Apollo wants to see with GET; all get the same.
const head = [
  ' HTTP/1.1',
  'Host: 127.0.0.1',
  'Accept: application/graphql-response+json, application/json;q=0.9',
  'Apollo-Require-Preflight: true',
  '',
].join('\r\n')
