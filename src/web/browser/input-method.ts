/**
 * Keys that an input method handles, as for Japanese or Chinese, do nothing else on the page: Escape discards what is
 * composed and not the search or the dialog, and Enter accepts it. In Safari, the Enter that accepts comes after the
 * composition, and only its key code shows it.
 */
export function leaveKeysToInputMethod(): void {
  const leave = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
  }
  // Before everything on the page.
  addEventListener('keydown', leave, true)
}
