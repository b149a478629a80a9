// The query of the endpoint names a file, so that routes that lead to the page lead to its files. A module cannot import
// another by a query alone: the page is one script, and each worker another.
const oneFile = { codeSplitting: false }

export default {
  experimental: { renderBuiltUrl: (name) => `?ide=${name}` },
  build: {
    outDir: 'dist',
    rolldownOptions: {
      output: oneFile,
      // Directives for servers, which packages of React have.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
    cssCodeSplit: false,
    assetsDir: '',
    // The policy of the page allows no fonts in URLs of the scheme data.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: Infinity,
    license: { fileName: 'licenses.md' },
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  worker: { format: 'es', rolldownOptions: { output: oneFile } },
}
