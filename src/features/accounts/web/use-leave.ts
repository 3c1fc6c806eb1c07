import { useNavigate } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { dropSession } from '#web/session/session.ts'

/** For actions that also end this session: clears its data and opens the sign-in form. */
export function useLeave() {
  const navigate = useNavigate()
  return async () => {
    dropSession()
    await navigate({ to: paths.login(), replace: true })
  }
}
