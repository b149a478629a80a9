import { toKoaMiddleware } from 'graphwire/koa'
import Koa from 'koa'
import { handler } from '../api.mjs'

const app = new Koa()
app.use(toKoaMiddleware(handler, { path: '/graphql' })) // in front of a body parser, to keep all checks
app.use((context) => {
  if (context.path === '/') context.redirect('/graphql?query={hello}')
})

const { HOST, PORT = 4000 } = process.env
const server = app.listen(PORT, HOST || 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
