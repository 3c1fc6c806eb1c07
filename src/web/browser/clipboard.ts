/** Copies a text; false if the browser rejects it. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Rejected, or unavailable because the page was loaded over plain HTTP from another machine.
    return copyByCommand(text)
  }
}

/** Fallback: provides the text in the copy event, so that focus and selection stay unchanged. */
function copyByCommand(text: string): boolean {
  let isTaken = false
  const handOver = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = event.clipboardData !== null
  }
  // Safari copies without a selection only if the page asks for it.
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
