import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startProxy, type Proxy } from './proxy.js'

/** Starts Varnish with a program of its language, and waits until it takes the server for well. */
export async function startVarnish(t: Test, program: string, vcl: string): Promise<Proxy> {
  const proxy = await startProxy(t, (folder, socket) => {
    const file = join(folder, 'default.vcl')
    writeFileSync(file, vcl)
    const places = ['-n', workOf(folder), '-a', socket, '-f', file]
    return [program, '-F', '-j', 'none', '-s', 'malloc,16m', ...places]
  })
  while ((await proxy.client('/livez')({})).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return proxy
}

export function workOf(folder: string): string {
  return join(folder, 'work')
}
