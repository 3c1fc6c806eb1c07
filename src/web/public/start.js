// Runs before the first paint. The build puts it into the page with the chunks of each page (tools/start-script.ts), so
// that they and the first data load beside the main scripts; the policy of the page names its hash.
{
  const root = document.documentElement
  const stored = (key) => localStorage.getItem(`signet.${key}`) ?? ''
  const prefix = '/api/1.0/website'
  const openPages = /^\/(?:login|register|terms|reset-password|reset-user-password|reseller\/confirm-email)$/
  const withoutRail = /^\/(?:status|signup|reseller\/(?:login|setup\/.*))$/
  /** List pages; what they ask for first, when the address asks for nothing else, has the same name. */
  const lists = /^\/(?:licenses|users|sessions)$/
  /** By address: the app it was asked for, the reply, and once that is read, its data. */
  const early = new Map()
  /** What the page will need, asked for as soon as the frame is painted, which that would delay. */
  let start
  // `api/early-replies.ts` takes the replies.
  const startOnce = (globalThis.signetEarly = () => {
    start?.()
    start = undefined
    return early
  })

  const ask = (path, appId) => {
    const headers = { Accept: 'application/json', ...(appId && { 'X-App-Id': appId }) }
    const reply = fetch(prefix + path, { headers })
    const entry = { appId: appId ?? '', reply }
    early.set(prefix + path, entry)
    const read = async (response) => response.ok && (entry.data = await response.clone().json())
    reply.then(read).catch(() => {})
  }

  const preloaded = new Set()
  const preload = (path) => {
    const { files = [], pages = {} } = '__CHUNKS__'
    for (const at of pages[path] ?? []) {
      if (preloaded.has(at)) continue
      preloaded.add(at)
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/assets/${files[at]}.js`
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
    if (isOpen || !isKnown) start = () => preload(isOpen ? path : '/login')
    else {
      const [ofAccount, recalled, appName] = stored('selected-app').split('\n')
      const selected = ofAccount === account ? recalled : undefined
      const appId = addressed ?? selected
      if (!withoutRail.test(path)) root.dataset.shell = isReseller || path.startsWith('/admin') ? 'area' : 'owner'
      if (appId && appId === selected) root.style.setProperty('--start-app', JSON.stringify(appName))
      start = () => {
        preload(path === '' ? '/overview' : path)
        ask(isReseller ? '/reseller/check-auth' : '/check-auth')
        if (root.dataset.shell !== 'owner') return
        ask('/apps')
        if (!appId) return
        if (location.search === '' && lists.test(path)) ask(`${path}?page=1&limit=10`, appId)
        if (stored('first-steps') !== appId) return
        for (const each of ['/subscriptions', '/licenses?limit=1', '/profile/two-factor']) ask(each, appId)
      }
    }
  } catch {
    // Storage may be closed to us; the dark theme stands, and the page loads what it needs itself.
  }

  // A page in the background is not painted.
  if (document.visibilityState === 'hidden') startOnce()
  else
    requestAnimationFrame(() => {
      setTimeout(startOnce)
      // The first use of dates takes long, and the main scripts are still on their way.
      setTimeout(() => new Intl.DateTimeFormat().resolvedOptions())
    })
}
