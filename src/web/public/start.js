// Runs before the first paint, as a file of its own because inline scripts are forbidden. The build fills in the chunks
// of each page (tools/start-script.ts), so that they and the first data load beside the main scripts.
{
  const root = document.documentElement
  const stored = (key) => localStorage.getItem(`signet.${key}`) ?? ''
  const prefix = '/api/1.0/website'
  const openPages = /^\/(?:login|register|terms|reset-password|reset-user-password|reseller\/confirm-email)$/
  const withoutRail = /^\/(?:status|signup|reseller\/(?:login|setup\/.*))$/
  /** The first call of list pages, when the address asks for nothing else. */
  const lists = {
    '/licenses': '/licenses?page=1&limit=10',
    '/users': '/users?page=1&limit=10',
    '/sessions': '/sessions?page=1&limit=10',
  }
  /** By address: the reply, and the app it was asked for. `api/early-replies.ts` takes them. */
  const early = new Map()
  globalThis.signetEarly = early

  const ask = (path, appId) => {
    const headers = { Accept: 'application/json', ...(appId && { 'X-App-Id': appId }) }
    const reply = fetch(prefix + path, { headers, credentials: 'same-origin' })
    reply.catch(() => {})
    early.set(prefix + path, { appId: appId ?? '', reply })
  }

  const preloaded = new Set()
  const preload = (path) => {
    const { files = [], pages = {} } = '__CHUNKS__'
    for (const at of pages[path] ?? []) {
      if (preloaded.has(at)) continue
      preloaded.add(at)
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/assets/${files[at]}`
      document.head.append(link)
    }
  }

  // The router calls it before each next page; no other script lists the chunks.
  globalThis.signetPreload = preload

  try {
    const theme = stored('theme')
    if (theme === 'light' || theme === 'system' || theme === 'dark') root.dataset.theme = theme
    const locale = stored('locale')
    if (locale) root.lang = locale

    const [, addressed, rest] = /^(?:\/a\/([^/]+))?(.*)$/.exec(location.pathname)
    const path = rest.replace(/\/$/, '')
    const isReseller = /^\/reseller(?:\/|$)/.test(path)
    const [account] = stored(isReseller ? 'signed-in-reseller' : 'signed-in').split(' ')
    const isOpen = openPages.test(path)
    // Of somebody who signed in here before; whether the session still lasts, the server says.
    const isKnown = account !== undefined && account !== ''
    if (isOpen || !isKnown) preload(isOpen ? path : '/login')
    else {
      const [ofAccount, recalled, appName] = stored('selected-app').split('\n')
      const selected = ofAccount === account ? recalled : undefined
      const appId = addressed ?? selected
      if (!withoutRail.test(path)) root.dataset.shell = isReseller || path.startsWith('/admin') ? 'area' : 'owner'
      if (appId && appId === selected) root.style.setProperty('--start-app', JSON.stringify(appName))
      ask(isReseller ? '/reseller/check-auth' : '/check-auth')
      if (root.dataset.shell === 'owner') {
        ask('/apps')
        if (appId && location.search === '' && lists[path]) ask(lists[path], appId)
      }
      preload(path === '' ? '/overview' : path)
    }
  } catch {
    // Storage may be closed to us; the dark theme stands, and the page loads what it needs itself.
  }
}
