/** A package that the binary uses if it is installed; undefined if it is not. */
export async function importInstalled<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string }
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`package '${name}'`)) return undefined
    throw error
  }
}
