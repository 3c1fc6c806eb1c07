/** Hands a text to the browser as a file. */
export function saveTextFile(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = name
  link.click()
  // Some browsers read the data only after they asked where to put it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** `licenses-{appName}-{date}` (part 1 §7), without what file systems refuse. */
export function licensesFileName(appName: string, ending: string): string {
  const date = new Date().toISOString().slice(0, 10)
  return `licenses-${appName.replaceAll(/[\s/\\:*?"<>|]+/g, '_')}-${date}.${ending}`
}
