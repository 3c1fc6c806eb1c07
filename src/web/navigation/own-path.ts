import { withAppParameter } from './app-address.ts'

/** Base for parsing only; nothing is ever sent there. */
const base = 'http://dashboard.invalid'

const entrances = /^\/(?:login|register|reseller\/login)\/?$/

/**
 * The `next` parameter of a sign-in if it is a path of this dashboard, so that a link cannot redirect to another site.
 * The app of an address becomes a parameter.
 */
export function ownPath(next: string | undefined): string | undefined {
  if (!next || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return undefined
  const { origin, pathname, search, hash } = new URL(next, base)
  if (origin !== base || pathname.startsWith('//') || entrances.test(pathname)) return undefined
  return withAppParameter(pathname + search + hash)
}
