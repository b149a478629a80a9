// The page of 404 is shown at any path below a base that it does not know: the site begins in the nearest folder that has
// its script, which then gives the links of the page their targets.
;(() => {
  const maxFolders = 20

  load(new URL('.', document.baseURI), maxFolders)

  function load(folder, left) {
    const script = document.createElement('script')
    script.src = new URL('site.js', folder)
    script.addEventListener('error', () => {
      const above = new URL('..', folder)
      if (left > 1 && above.href !== folder.href) load(above, left - 1)
    })
    document.head.append(script)
  }
})()
