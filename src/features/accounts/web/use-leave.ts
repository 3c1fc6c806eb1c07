import { useNavigate } from '@tanstack/react-router'
import { forgetDrafts } from '#web/form/form-drafts.ts'
import { paths } from '#web/navigation/paths.ts'
import { dropSession } from '#web/session/session.ts'

/** For actions that also end this session: clears its data and what is typed, and opens the sign-in form. */
export function useLeave() {
  const navigate = useNavigate()
  return async () => {
    dropSession()
    forgetDrafts()
    await navigate({ to: paths.login(), replace: true })
  }
}
