import { t } from '@lingui/core/macro'
import { BellOff, CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { notificationHistory, type NotificationType } from '../browser/notification-history.ts'
import { useStore } from '../browser/store.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import { useOpener } from '../ui/use-opener.ts'

interface ActivityDrawerProps {
  /** The actions of the account; without it, the drawer has the notifications only. */
  activity?: ReactNode
  onClose: () => void
}

const isToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-above-dialogs]') !== null

/** What the account did last, with Undo, and what toasts said. */
export function ActivityDrawer({ activity, onClose }: ActivityDrawerProps) {
  const [tab, setTab] = useState(activity ? 'activity' : 'notifications')
  const focusOpener = useOpener()
  const href = useRouterState({ select: ({ location }) => location.href })
  const openedAt = useRef(href)
  useEffect(() => {
    // A link leads to a page or panel below the drawer.
    if (href !== openedAt.current) onClose()
  }, [href, onClose])
  const notifications = { value: 'notifications', label: t`Notifications`, content: <Notifications /> }
  const activityTab = { value: 'activity', label: t`Activity`, content: activity }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 top-(--strip-height,0px) z-50 flex animate-fade flex-col bg-surface-1 outline-none md:left-auto md:w-[440px] md:border-l md:border-line md:shadow-overlay"
          onInteractOutside={(event) => isToast(event.target) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusOpener()
          }}
        >
          <header className="flex shrink-0 items-center gap-3 px-5 pt-4 pb-3">
            <Dialog.Title className="min-w-0 grow text-section font-semibold">{t`Activity`}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t`Close`} icon={<X />} className="-mr-2" />
            </Dialog.Close>
          </header>
          <div className="min-h-0 grow overflow-y-auto px-5 pb-8">
            <Tabs
              label={t`Activity`}
              tabs={activity ? [activityTab, notifications] : [notifications]}
              value={tab}
              onChange={setTab}
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const icons: Record<NotificationType, ReactNode> = {
  success: <CircleCheck className="text-accent-text" />,
  error: <CircleAlert className="text-danger" />,
  warning: <TriangleAlert className="text-warn" />,
  info: <Info className="text-info" />,
}

function Notifications() {
  const past = useStore(notificationHistory)
  const names: Record<NotificationType, string> = {
    success: t`Success`,
    error: t`Error`,
    warning: t`Warning`,
    info: t`Info`,
  }
  if (past.length === 0)
    return (
      <EmptyState icon={<BellOff />} title={t`No notifications yet`}>
        {t`Messages of this tab stay here after they disappear from the screen.`}
      </EmptyState>
    )
  return (
    <ul aria-label={t`Notifications`}>
      {past.map(({ id, type, message, at }) => (
        <li
          key={id}
          className="flex gap-2.5 border-b border-line py-2.5 text-ui last:border-b-0 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
        >
          {icons[type]}
          <div className="min-w-0 grow">
            <p className="wrap-anywhere">
              <span className="sr-only">{names[type]}: </span>
              {message}
            </p>
            <TimeAgo at={at} className="text-meta text-text-3" />
          </div>
        </li>
      ))}
    </ul>
  )
}
