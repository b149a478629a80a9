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
import { toFastifyPlugin } from 'graphwire/fastify'
import { handler } from './${apiFile}'

const app = fastify()
app.register(toFastifyPlugin(handler, { path: '/graphql' }))

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
    'server.js': `import { toKoaMiddleware } from 'graphwire/koa'
import Koa from 'koa'
import { handler } from './${apiFile}'

const app = new Koa()
app.use(toKoaMiddleware(handler, { path: '/graphql' })) // before body parsers

const server = app.listen(Number(process.env.PORT ?? 4000), 'localhost', () => {
  console.log(\`listening on http://localhost:\${server.address().port}/graphql\`)
})
`,
  },
  scripts: nodeScripts,
  dependencies: { koa: '^3.0.0' },
  steps: npmSteps,
}

export const hono: Template = {
  doc: 'Hono 4 on Node',
  files: {
    'server.js': `import { serve } from '@hono/node-server'
import { setHeaders, toFetch } from 'graphwire/fetch'
import { Hono } from 'hono'
import { handler } from './${apiFile}'

const respond = toFetch(handler)

const app = new Hono()
app.all('/graphql', async (context) => {
  const response = await respond(context.req.raw)
  // Merges with what middleware has set; if you returned the response, Hono would let that win.
  setHeaders(response.headers, context.res.headers)
  return context.newResponse(response.body, response.status)
})

serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 4000), hostname: 'localhost' },
  ({ port }) => console.log(\`listening on http://localhost:\${port}/graphql\`),
)
`,
  },
  scripts: nodeScripts,
  dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.0.0' },
  steps: npmSteps,
}

export const next: Template = {
  doc: "a route of Next's app router",
  files: {
    'app/graphql/route.js': `import { toFetch } from 'graphwire/fetch'
import { handler } from '../../${apiFile}'

const fetch = toFetch(handler)

// Under every name that Next knows, so that each method gets a response of GraphQL over HTTP.
export { fetch as DELETE, fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as PATCH, fetch as POST, fetch as PUT }
`,
  },
  scripts: { build: 'next build', dev: 'next dev', start: 'next start', test: 'node --test' },
  dependencies: { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
  steps: ['npm install', 'npm test', 'npm run dev'],
}

export const worker: Template = {
  doc: 'a Cloudflare worker',
  files: {
    'worker.js': `import { toFetch } from 'graphwire/fetch'
import { handler } from './${apiFile}'

export default { fetch: toFetch(handler) }
`,
  },
  scripts: {
    deploy: 'wrangler deploy',
    start:
      'wrangler dev worker.js --compatibility-date 2026-01-01 --compatibility-flag nodejs_compat --port 4000',
    test: 'node --test',
  },
  dependencies: {},
  devDependencies: { wrangler: '^4.0.0' },
  steps: npmSteps,
}

export const bun: Template = {
  doc: 'Bun',
  files: {
    'server.js': `import { toFetch } from 'graphwire/fetch'
import { handler } from './${apiFile}'

const server = Bun.serve({
  hostname: 'localhost',
  port: Number(process.env.PORT ?? 4000),
  fetch: toFetch(handler),
})
console.log(\`listening on http://localhost:\${server.port}/graphql\`)
`,
  },
  scripts: { start: 'bun server.js', test: 'bun test' },
  dependencies: {},
  steps: ['bun install', 'bun test', 'bun start'],
}

export const deno: Template = {
  doc: 'Deno',
  files: {
    'server.js': `import { toFetch } from 'graphwire/fetch'
import { handler } from './${apiFile}'

Deno.serve(
  {
    hostname: 'localhost',
    port: Number(Deno.env.get('PORT') ?? 4000),
    onListen: ({ port }) => console.log(\`listening on http://localhost:\${port}/graphql\`),
  },
  toFetch(handler),
)
`,
  },
  scripts: {
    start: 'deno run --allow-net --allow-env --allow-read server.js',
    test: 'deno test --allow-env --allow-read',
  },
  dependencies: {},
  steps: ['deno install', 'deno task test', 'deno task start'],
}
