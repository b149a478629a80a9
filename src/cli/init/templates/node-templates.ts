import { apiFile, nodeScripts, npmSteps, type Template } from './template.js'

/** The server of graphwire itself: it has limits on connections, probes, and closes without losing a request. */
export const node: Template = {
  doc: "graphwire's own server on Node",
  files: {
    'server.js': `import { listen, toNodeListener, untilSignal } from 'graphwire/node'
import { handler } from './${apiFile}'

const port = Number(process.env.PORT ?? 4000)
const { origin, close } = await listen(toNodeListener(handler), { port })
console.log(\`listening on \${origin}/graphql\`)

await untilSignal()
await close()
process.exit()
`,
  },
  scripts: nodeScripts,
  dependencies: {},
  steps: npmSteps,
}

export const express: Template = {
  doc: 'Express 5',
  files: {
    'server.js': `import express from 'express'
import { toNodeListener } from 'graphwire/node'
import { handler } from './${apiFile}'

const app = express()
app.all('/graphql', toNodeListener(handler)) // before express.json(), to keep all checks
app.use(express.json())

const server = app.listen(Number(process.env.PORT ?? 4000), 'localhost', () => {
  console.log(\`listening on http://localhost:\${server.address().port}/graphql\`)
})
`,
  },
  scripts: nodeScripts,
  dependencies: { express: '^5.1.0' },
  steps: npmSteps,
}

export const fastify: Template = {
  doc: 'Fastify 5',
  files: {
    'server.js': `import fastify from 'fastify'
import { mergeHeaders, toNodeResponder } from 'graphwire/node'
import { handler } from './${apiFile}'

const respond = toNodeResponder(handler)

const app = fastify()
app.register(async (scope) => {
  // graphwire reads the bodies of this route; other routes keep their parsers.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/graphql', async (request, reply) => {
    const response = await respond(request.raw, reply.raw)
    if (response.statusMessage) reply.raw.statusMessage = response.statusMessage
    for (const [name, value] of mergeHeaders(response.headers, reply.getHeaders())) {
      reply.removeHeader(name)
      if (value !== undefined) reply.header(name, value)
    }
    return reply.code(response.status).send(response.body)
  })
})

await app.listen({ port: Number(process.env.PORT ?? 4000), host: 'localhost' })
console.log(\`listening on http://localhost:\${app.server.address().port}/graphql\`)
`,
  },
  scripts: nodeScripts,
  dependencies: { fastify: '^5.0.0' },
  steps: npmSteps,
}

export const koa: Template = {
  doc: 'Koa 3',
  files: {
    'server.js': `import { mergeHeaders, toNodeResponder } from 'graphwire/node'
import Koa from 'koa'
import { handler } from './${apiFile}'

const respond = toNodeResponder(handler)

const app = new Koa()
app.use(async (context, next) => {
  if (context.path !== '/graphql') return next()
  const response = await respond(context.req, context.res)
  context.status = response.status
  if (response.statusMessage) context.message = response.statusMessage
  for (const [name, value] of mergeHeaders(response.headers, context.res.getHeaders())) {
    if (value === undefined) context.remove(name)
    else context.set(name, value)
  }
  context.body = response.body
})

const server = app.listen(Number(process.env.PORT ?? 4000), 'localhost', () => {
  console.log(\`listening on http://localhost:\${server.address().port}/graphql\`)
})
`,
  },
  scripts: nodeScripts,
  dependencies: { koa: '^3.0.0' },
  steps: npmSteps,
}
