import { openStore } from '../../../store/open-store.js'

// A process of its own: node open-and-seed.js DATABASE
const store = await openStore({ database: process.argv[2]! })
console.log(await store.seed())
await store.close()
