import express from 'express'
import { toNodeListener } from 'graphwire/node'
import { handler } from '../api.mjs'

const app = express()
app.all('/graphql', toNodeListener(handler)) // before express.json(), to keep all checks
app.use(express.json())
app.get('/', (_request, response) => response.redirect('/graphql?query={hello}'))

const { HOST, PORT = 4000 } = process.env
const server = app.listen(PORT, HOST || 'localhost', (error) => {
  if (error) throw error
  console.log(`http://localhost:${server.address().port}/graphql`)
})
