/** Takes away the shell that index.html paints before the scripts run. */
export function removeStartShell(): void {
  document.querySelector('#shell')?.remove()
}
