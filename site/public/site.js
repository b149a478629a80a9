// The script of the pages: the theme, search, and buttons that copy code. A classic script without modules and without
// requests of its own, since pages opened from a file system may have neither.
;(() => {
  const folder = new URL('.', document.currentScript.src)
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')

  try {
    const theme = localStorage.getItem('theme')
    if (theme) root.dataset.theme = theme
  } catch {
    // Without storage, the theme is that of the system.
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', prepare)
  else prepare()

  function prepare() {
    prepareLinks()
    showPlace()
    // In narrow windows the list has a height only once it is opened.
    addEventListener('hashchange', showPlace)
    prepareTheme()
    prepareSearch()
    prepareCopying()
  }

  /** The page of 404 does not know where it is shown. */
  function prepareLinks() {
    for (const link of document.querySelectorAll('a[data-href]')) {
      link.href = new URL(link.dataset.href, folder)
    }
  }

  /** The list of pages is long: it begins where this page is. */
  function showPlace() {
    const place = document.querySelector('.contents [aria-current]')
    const list = place?.closest('.contents')
    if (list) list.scrollTop = place.offsetTop - list.clientHeight / 2
  }

  function prepareTheme() {
    const button = document.querySelector('button.theme')
    button.hidden = false
    button.addEventListener('click', () => {
      const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches
      root.dataset.theme = isDark ? 'light' : 'dark'
      try {
        localStorage.setItem('theme', root.dataset.theme)
      } catch {
        // Without storage, the choice lasts for this page.
      }
    })
  }

  function prepareCopying() {
    for (const button of document.querySelectorAll('button.copy')) {
      const code = button.parentElement.querySelector('pre')
      button.textContent = 'Copy'
      button.addEventListener('click', () => {
        void copy(code).then((note) => {
          button.textContent = note
        })
      })
    }
  }

  /** Browsers allow it on https and localhost only: elsewhere the code is selected. */
  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent.trimEnd())
      return 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      return 'Press Ctrl+C'
    }
  }

  function prepareSearch() {
    const button = document.querySelector('button.search')
    button.hidden = false
    button.addEventListener('click', () => void openSearch())
    addEventListener('keydown', (event) => {
      const isTyping = /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
      const isSlash = event.key === '/' && !isTyping
      const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey)
      if (!isSlash && !isShortcut) return
      event.preventDefault()
      void openSearch()
    })
  }

  let dialog
  let find

  async function openSearch() {
    dialog ??= createDialog()
    if (dialog.open) return
    const [input, status] = [dialog.querySelector('input'), dialog.querySelector('p')]
    dialog.showModal()
    input.select()
    if (find !== undefined) return
    status.textContent = 'Loading ...'
    try {
      await Promise.all(['minisearch.js', 'search-data.js', 'search.js'].map((name) => load(name)))
      find = globalThis.makeSiteSearch()
      showResults()
    } catch {
      status.textContent = 'The index of the search could not be loaded.'
    }
  }

  function createDialog() {
    const made = document.createElement('dialog')
    made.className = 'find'
    made.setAttribute('aria-label', 'Search')
    made.innerHTML =
      '<form method="dialog"><input type="search" aria-label="Search the pages" placeholder="Search the pages" autocomplete="off" spellcheck="false"><button>Close</button></form><p role="status"></p><ol></ol>'
    made.querySelector('input').addEventListener('input', showResults)
    made.addEventListener('keydown', moveByArrows)
    made.addEventListener('click', ({ target }) => {
      if (target === made || target.closest('a')) made.close()
    })
    document.body.append(made)
    return made
  }

  function showResults() {
    if (find === undefined) return
    const text = dialog.querySelector('input').value.trim()
    const found = text === '' ? [] : find(text).slice(0, 12)
    dialog.querySelector('ol').replaceChildren(...found.map((one) => toItem(one)))
    const isNothing = text !== '' && found.length === 0
    dialog.querySelector('p').textContent = isNothing ? 'Nothing was found.' : ''
  }

  function toItem({ url, page, heading, text, terms }) {
    const item = document.createElement('li')
    const link = document.createElement('a')
    const title = document.createElement('strong')
    link.href = new URL(url, folder)
    title.textContent = heading === page ? page : `${page}: ${heading}`
    link.append(title, cut(text, terms))
    item.append(link)
    return item
  }

  /** A part of the text, from a little before the first word that was found. */
  function cut(text, terms) {
    const places = terms
      .map((term) => text.toLowerCase().indexOf(term))
      .filter((place) => place >= 40)
    const from = places.length === 0 ? 0 : text.indexOf(' ', Math.min(...places) - 40) + 1
    const to = text.length <= from + 150 ? text.length : text.lastIndexOf(' ', from + 150)
    return `${from === 0 ? '' : '... '}${text.slice(from, to)}${to === text.length ? '' : ' ...'}`
  }

  /** The arrow keys go through the input and the results; Enter in the input opens the first. */
  function moveByArrows(event) {
    const stops = dialog.querySelectorAll('input, li a')
    const at = [...stops].indexOf(document.activeElement)
    const isFirst = event.key === 'Enter' && at === 0
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && !isFirst) return
    event.preventDefault()
    if (isFirst) stops[1]?.click()
    else stops[at + step]?.focus()
  }

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = new URL(name, folder)
      script.addEventListener('load', resolve)
      script.addEventListener('error', reject)
      document.head.append(script)
    })
  }
})()
