import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startProxy, type Proxy } from './proxy.js'

/** Starts HAProxy with a configuration; `SOCKET` there is its own. */
export function startHaproxy(t: Test, program: string, configuration: string): Promise<Proxy> {
  return startProxy(t, (folder, socket) => {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, configuration.replaceAll('SOCKET', `unix@${socket}`))
    return [program, '-db', '-f', file]
  })
}
