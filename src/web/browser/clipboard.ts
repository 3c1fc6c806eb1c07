/** Puts a text on the clipboard; false where the browser refuses. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Refused, or missing where the page came over plain HTTP from another machine.
    return copyByCommand(text)
  }
}

/** The older way: the text is handed over as the browser copies, so that focus and selection stay as they are. */
function copyByCommand(text: string): boolean {
  let isTaken = false
  const handOver = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = event.clipboardData !== null
  }
  // Safari copies without a selection only where a page wants it to.
  const enable = (event: Event) => event.preventDefault()
  document.addEventListener('beforecopy', enable, { capture: true })
  document.addEventListener('copy', handOver, { capture: true })
  try {
    return document.execCommand('copy') && isTaken
  } finally {
    document.removeEventListener('beforecopy', enable, { capture: true })
    document.removeEventListener('copy', handOver, { capture: true })
  }
}
