/** `{name}-{date}.{ending}`, without characters that file systems reject. */
export function datedFileName(name: string, ending: string): string {
  const date = new Date().toISOString().slice(0, 10)
  return `${name.replaceAll(/[/\\:*?"<>|\p{C}]+/gu, '_')}-${date}.${ending}`
}

/** Saves a text as a file. */
export const saveTextFile = (name: string, ending: string, text: string): void =>
  saveFile(name, ending, new Blob([text], { type: 'text/plain;charset=utf-8' }))

export function saveFile(name: string, ending: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = datedFileName(name, ending)
  link.click()
  // Some browsers read the data only after asking where to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
