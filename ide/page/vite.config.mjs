// Chunks are found by the relative URLs of what imports them, so that the page works below any path.
export default {
  base: './',
  build: {
    outDir: 'dist',
    rolldownOptions: {
      // Directives for servers, which packages of React have.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
    assetsDir: '',
    // The policy of the page allows no fonts in URLs of the scheme data.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: Infinity,
    license: { fileName: 'licenses.md' },
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  worker: { format: 'es' },
}
