// Runs inside the browser: sends the requests of the test one by one and gives what fetch gave.
globalThis.run = async (requests) => {
  const results = []
  for (const { url, navigate, ...init } of requests) {
    results.push(await (navigate ? openFrame(url) : send(url, init)))
  }
  return results
}

async function send(url, init) {
  try {
    const response = await fetch(url, init)
    const { status, statusText, ok, type: kind } = response
    const header = (name) => response.headers.get(name)
    const headers = {
      type: header('content-type'),
      vary: header('vary'),
      allow: header('allow'),
      cacheControl: header('cache-control'),
    }
    return { status, statusText, ok, kind, ...headers, body: await response.text() }
  } catch (error) {
    return { failure: error.name }
  }
}

/** What stands in a frame after the browser has gone there by itself, as it does from its address bar. */
function openFrame(url) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.src = url
    frame.addEventListener('load', () => resolve({ body: frame.contentDocument.body.innerText }))
    document.body.append(frame)
  })
}
