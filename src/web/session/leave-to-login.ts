import { returnAddress, signInPrompt } from '../api/session-end.ts'
import { paths } from '../navigation/paths.ts'

/** A full page load, so that nothing of the session stays in memory. After signing in, the same page opens again. */
export function leaveToLogin() {
  const isOtherAccount = signInPrompt.question.get() === 'somebody-else'
  const search = new URLSearchParams({ next: returnAddress(), reason: 'ended' })
  location.assign(isOtherAccount ? paths.home() : `${paths.login()}?${search}`)
}
