import { i18n } from '@lingui/core'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentType, useEffect, useLayoutEffect, useRef } from 'react'
import { announce, announcementStore } from '../browser/announce.ts'
import { localeStore } from '../browser/locale.ts'
import { followKeyboard } from '../browser/on-screen-keyboard.ts'
import { platformName } from '../browser/platform-name.ts'
import { removeStartShell } from '../browser/start-shell.ts'
import { useRouteTitle } from '../navigation/route-title.ts'
import { followOtherTabs, type SessionEnd, signInPrompt } from '../api/session-end.ts'
import { hasSessionOf } from '../session/session.ts'
import { useStore } from '../browser/store.ts'
import { Filament } from '../ui/filament.tsx'
import { Toasts } from '../ui/toasts.tsx'

function Announcer() {
  const text = useStore(announcementStore)
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  )
}

/** After a navigation, announces the new page and focuses its heading, as a full page load would. */
function useRouteAnnouncement() {
  const router = useRouter()
  const title = useRouteTitle()
  const text = title ? i18n._(title) : undefined
  const moved = useRef(false)
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation) moved.current = true
      }),
    [router],
  )
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    document.title = text ? `${text} · ${platformName}` : platformName
    if (!moved.current || !text) return undefined
    const frame = requestAnimationFrame(() => {
      // Not before: the title and the path of a page arrive one after the other, and each starts this anew.
      moved.current = false
      // The page has already focused its first field.
      if (document.activeElement?.matches('input, textarea, select')) return
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      announce(text)
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname, text])
}

export type SignInAgain = ComponentType<{ reason: SessionEnd; onFailed: () => void }>

function SignInPrompt({ dialog: Dialog }: { dialog: SignInAgain }) {
  const reason = useStore(signInPrompt.question)
  useEffect(() => followOtherTabs(hasSessionOf), [])
  // Calls go on waiting while somebody else is signed in, whether or not the dialog could be loaded.
  const stopWaiting = () => reason !== 'somebody-else' && signInPrompt.answer(false)
  return reason && <Dialog reason={reason} onFailed={stopWaiting} />
}

/** `signInAgain` belongs to a feature and is provided by the routes. */
export function Root({ signInAgain }: { signInAgain: SignInAgain }) {
  // Its texts and the title of the window.
  useStore(localeStore)
  useRouteAnnouncement()
  useEffect(followKeyboard, [])
  const loading = useRouterState({ select: (state) => state.status === 'pending' })
  const hasPage = useRouterState({ select: (state) => state.resolvedLocation !== undefined })
  // Pages outside the shell, such as the sign-in after a session has ended.
  useLayoutEffect(() => {
    if (hasPage) removeStartShell()
  }, [hasPage])
  return (
    <>
      <div className="fixed inset-x-0 top-0 z-[65]">
        <Filament active={loading} />
      </div>
      <Outlet />
      <SignInPrompt dialog={signInAgain} />
      <Toasts />
      <Announcer />
    </>
  )
}
