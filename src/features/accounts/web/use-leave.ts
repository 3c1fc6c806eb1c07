import { useNavigate } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { dropSession } from '#web/session/session.ts'

/** For acts that end this session too: nothing of it stays, and the login form is next. */
export function useLeave() {
  const navigate = useNavigate()
  return async () => {
    dropSession()
    await navigate({ to: paths.login(), replace: true })
  }
}
