// Loaded before each server by `node --import`: it reports to the measuring process what this one has used.
process.on('message', (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send({ microseconds: user + system })
  } else if (question === 'memory') {
    const loaded = process.memoryUsage.rss()
    // Twice, since what a finalizer lets go of is only found by the second.
    globalThis.gc()
    globalThis.gc()
    process.send({ loaded, rest: process.memoryUsage.rss() })
  } else if (question === 'heap') {
    globalThis.gc()
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send({ heap: heapUsed, held: heapUsed + external })
  }
})
// The one that measures has gone.
process.on('disconnect', () => process.exit())
