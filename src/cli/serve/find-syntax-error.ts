import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const maxWaitMs = 5000

/**
 * File, line and caret of a module's syntax error. Node keeps them from those who catch it and prints
 * them only as the last words of a process, so a process of its own imports the module again; what
 * cannot be parsed or linked does not run.
 */
export async function findSyntaxError(
  file: string,
  error: SyntaxError,
): Promise<string | undefined> {
  const stack = error.stack ?? ''
  const known = headOf(stack)
  // JSON.parse and `new RegExp` throw such errors too, but from a line of the stack.
  if (known !== undefined || !fromLoader(stack)) return known
  const url = pathToFileURL(resolve(file)).href
  const script = ['--input-type=module', '--eval', `import ${JSON.stringify(url)}`]
  return new Promise((found) => {
    execFile(
      process.execPath,
      [...process.execArgv, ...script],
      { timeout: maxWaitMs, killSignal: 'SIGKILL', windowsHide: true },
      (_failed, _output, lastWords) => found(headOf(lastWords)),
    )
  })
}

/** What stands above the name of the error: `file:line`, the line, a caret. */
function headOf(text: string): string | undefined {
  const head = /^(\S[^\n]*:\d+\n[^\n]*\n\s*\^+)\s*\n/m.exec(text)?.[1]
  return head?.replaceAll(/^/gm, '    ')
}

function fromLoader(stack: string): boolean {
  return /^\s+at [^\n]*\(?node:internal\/modules\//m.test(stack.split('\n')[1] ?? '')
}
