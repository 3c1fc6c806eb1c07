/** Only its parts are read; nothing is ever sent there. */
const base = 'http://dashboard.invalid'

const entrances = /^\/(?:login|register|reseller\/login)\/?$/

/** `next` of a sign-in, if it is an address of this dashboard: a link must not lead to somebody else's site. */
export function ownPath(next: string | undefined): string | undefined {
  if (!next || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return undefined
  const { origin, pathname, search, hash } = new URL(next, base)
  if (origin !== base || pathname.startsWith('//') || entrances.test(pathname)) return undefined
  return pathname + search + hash
}
