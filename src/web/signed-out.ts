import { clearSelectedApp } from './app-selection.ts'
import { paths } from './paths.ts'

const loginPages = [/^\/login$/, /^\/reseller\/login$/, /^\/register$/, /^\/reseller\/setup(?:\/|$)/]

export const isLoginPage = (path: string) => loginPages.some((page) => page.test(path))

/** The two calls that ask who is signed in; for them a 401 is an answer (part 1 §4). */
const sessionQuestions = new Set<string>(['GET /check-auth', 'GET /reseller/check-auth'])

/** A session that ended: forget the user and the app, and go to the login page by a full load. */
export function leaveIfSessionEnded(key: string, status: number) {
  if (status !== 401 || sessionQuestions.has(key) || isLoginPage(location.pathname)) return
  clearSelectedApp()
  location.assign(paths.login())
}
