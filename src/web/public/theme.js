// Runs before the first paint, so the page never flashes in the other theme. A file of its own: no inline scripts.
try {
  var theme = localStorage.getItem('signet.theme')
  if (theme === 'light' || theme === 'system' || theme === 'dark') document.documentElement.dataset.theme = theme
  var locale = localStorage.getItem('signet.locale')
  if (locale === 'en' || locale === 'pt-BR') document.documentElement.lang = locale
} catch {
  // Storage may be closed to us; the dark theme stands.
}
