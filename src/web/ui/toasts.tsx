import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { NotificationType } from '../browser/notification-history.ts'
import { dismissNotification, type Notification, notificationStore } from '../browser/notify.ts'
import { useStore } from '../browser/store.ts'
import { useClearBottom } from './clear-bottom.ts'

const icons: Record<NotificationType, ReactNode> = {
  success: <CircleCheck className="text-accent-text" />,
  error: <CircleAlert className="text-danger" />,
  warning: <TriangleAlert className="text-warn" />,
  info: <Info className="text-info" />,
}

function Toast({ notification, paused }: { notification: Notification; paused: boolean }) {
  const { id, message, type, duration, action } = notification
  const left = useRef(duration)
  useEffect(() => {
    if (paused || left.current === Infinity) return undefined
    const started = Date.now()
    const timer = setTimeout(() => dismissNotification(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - started
    }
  }, [paused, id])
  return (
    <div className="pointer-events-auto flex w-full animate-rise items-start gap-2.5 rounded-lg border border-line-strong bg-surface-2 px-3.5 py-2.5 shadow-overlay [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icons[type]}
      <p className="min-w-0 grow break-words text-ui text-text">{message}</p>
      {action && (
        <button
          type="button"
          className="shrink-0 rounded-sm text-ui font-medium text-accent-text underline underline-offset-2"
          onClick={() => {
            dismissNotification(id)
            action.onAction()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t`Dismiss notification`}
        onClick={() => dismissNotification(id)}
        className="-my-0.5 -mr-1 flex size-6 shrink-0 items-center justify-center rounded-sm text-text-3 hover:text-text [&_svg]:mt-0"
      >
        <X />
      </button>
    </div>
  )
}

/**
 * Both live regions exist from the start, so that the first message is announced, too. Hovering or focusing a toast
 * pauses all of them (WCAG 2.2.1).
 */
export function Toasts() {
  const notifications = useStore(notificationStore)
  const section = useRef<HTMLElement>(null)
  const lift = useClearBottom(section, notifications)
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  // A toast that is removed while hovered or focused fires no leave event.
  useEffect(() => {
    if (notifications.length > 0) return
    setHovered(false)
    setFocused(false)
  }, [notifications.length])
  const ofKind = (urgent: boolean) => notifications.filter(({ type }) => (type === 'error') === urgent)
  const list = (urgent: boolean) =>
    ofKind(urgent).map((notification) => (
      <Toast key={notification.id} notification={notification} paused={hovered || focused} />
    ))
  return (
    <section
      ref={section}
      style={{ transform: `translateY(${-lift}px)` }}
      aria-label={t`Notifications`}
      data-print="no"
      data-above-dialogs
      className="pointer-events-none fixed inset-x-3 bottom-above-bar z-[60] flex flex-col gap-2 md:inset-x-auto md:right-6 md:bottom-6 md:w-90"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div role="status" className="flex flex-col gap-2">
        {list(false)}
      </div>
      <div role="alert" className="flex flex-col gap-2">
        {list(true)}
      </div>
    </section>
  )
}
