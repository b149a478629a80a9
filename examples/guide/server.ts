import { pino } from 'pino'
import express from 'express'
import { toNodeListener } from 'graphwire/node'
import { createApp } from './app.js'
import { createMemoryStore } from './store.js'

const log = pino()
const { HOST = 'localhost', JWT_SECRET, PORT = '4000' } = process.env
if (JWT_SECRET === undefined) throw new Error('Set JWT_SECRET to the secret that signs the tokens.')
const jwtKey = new TextEncoder().encode(JWT_SECRET)

const app = express()
app.all('/graphql', toNodeListener(createApp({ store: createMemoryStore(), log, jwtKey })))
app.get('/healthz', (_request, response) => {
  response.json({ status: 'ok' })
})

const server = app.listen(Number(PORT), HOST, (error) => {
  if (error) throw error
  log.info({ address: server.address() }, 'listening')
})
process.once('SIGTERM', () => server.close())
