export default {
  // Vitest would load one copy of graphql for your files and another one for packages.
  test: { server: { deps: { inline: [/\/@?graphwire\//] } } },
}
