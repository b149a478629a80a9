import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { readRoot, startProxy, substitute, type Proxy } from './proxy.js'
import { testsOf } from './row.js'

/** Starts nginx with what stands in its `http` block; `SOCKET` and `FOLDER` there are its own. */
export function startNginx(t: Test, program: string, http: string): Promise<Proxy> {
  return startProxy(t, (folder, socket) => {
    const file = join(folder, 'nginx.conf')
    mkdirSync(join(folder, 'cache'))
    writeFileSync(file, wrap(http).replaceAll('SOCKET', socket).replaceAll('FOLDER', folder))
    return [program, '-c', file, '-p', folder, '-e', 'stderr']
  })
}

export const testNginx: ReturnType<typeof testsOf> = testsOf('nginx', startNginx)

/** What nginx needs around it, and nothing that changes an answer. Root would give its files to another user. */
function wrap(http: string): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    ${user}
    daemon off;
    worker_processes 1;
    pid FOLDER/nginx.pid;
    events { worker_connections 256; }
    http {
      access_log off;
      ${places.map((name) => `${name}_temp_path FOLDER/${name};`).join('\n')}
      ${http}
    }`
}

/** The configuration of the docs in front of a port, with other pieces replaced. */
export function documented(
  port: number,
  pieces: { readonly [piece: string]: string } = {},
): string {
  return substitute(readRoot('docs/proxies/nginx.conf'), {
    '127.0.0.1:4000': `127.0.0.1:${port}`,
    'listen 8080': 'listen unix:SOCKET',
    '/var/lib/nginx': 'FOLDER/cache',
    '/var/log/nginx': 'FOLDER',
    ...pieces,
  })
}

/** One that passes everything on, with more in its location. */
export function passing(port: number, more = ''): string {
  return `server { listen unix:SOCKET; location / { proxy_pass http://127.0.0.1:${port}; ${more} } }`
}
