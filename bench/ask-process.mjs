const maxMs = 120_000

/** Sends a message to a child process, if one is given, and waits for the answer that has the property `name`. */
export function askProcess(child, name, message) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      child.off('message', read)
      child.off('exit', gone)
    }
    const read = (answer) => {
      if (!(name in answer)) return
      done()
      resolve(answer)
    }
    const gone = (code, signal) => {
      done()
      reject(new Error(`it ended (${code ?? signal}) before it had answered`))
    }
    const timer = setTimeout(() => {
      done()
      reject(new Error(`no answer within ${maxMs / 1000} seconds`))
    }, maxMs)
    child.on('message', read)
    child.on('exit', gone)
    if (message !== undefined) child.send(message)
  })
}
