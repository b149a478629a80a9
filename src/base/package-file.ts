/** A file or folder of the installed package, wherever the code that asks for it was bundled to. */
export function packageFile(path: string): URL {
  return new URL(path, import.meta.resolve('graphwire/package.json'))
}
