import { serve } from '../dist/src/hosts/node/index.js'
import { createSchema } from '../bench/servers/people.mjs'
import { version } from 'graphql'
const s = await serve({ schema: createSchema(), port: 4567, host: '127.0.0.1' })
console.log(version)
process.on('SIGTERM', ()=>process.exit(0))
process.on('message',()=>{})
