import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { announce } from '#web/browser/announce.ts'
import { paths } from '#web/navigation/paths.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { readStored, writeStored } from '#web/browser/stored.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { LiveDot } from '#web/ui/live-dot.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { Overview } from './overview-data.ts'

const refetchMs = 5000

/**
 * Whether to show the steps: from the app's creation until its first program starts, and then until a user who saw them
 * leaves the page. Once dismissed, they don't come back in this browser.
 */
export function useFirstSteps({ appId, lastInitAt }: App): { shown: boolean; dismiss: () => void } {
  const key = `first-steps-dismissed.${appId}`
  const [isDismissed, setDismissed] = useState(() => readStored(key) !== undefined)
  const [wasAwaited] = useState(lastInitAt === null)
  const shown = wasAwaited && !isDismissed
  const dismiss = () => {
    writeStored(key, '1')
    setDismissed(true)
  }
  return { shown, dismiss }
}

interface FirstStepsProps {
  app: App
  made: Pick<Overview, 'levels' | 'licenses'>
  onDismiss: () => void
}

/** The steps to the first running program; each one's completion is derived from stored data. */
export function FirstSteps({ app, made, onDismiss }: FirstStepsProps) {
  const isConnected = app.lastInitAt !== null
  useQuery({ ...appsQuery, refetchInterval: isConnected ? false : refetchMs })
  const wasConnected = useRef(isConnected)
  useEffect(() => {
    if (isConnected && !wasConnected.current) announce(t`The first program has started`)
    wasConnected.current = isConnected
  }, [isConnected])

  const steps: Step[] = [
    { isDone: true, title: t`app created`, to: paths.settings(), action: app.appName },
    {
      isDone: made.levels > 0,
      title: t`subscription level`,
      to: paths.subscriptions(),
      action: made.levels > 0 ? t`Subscriptions` : t`Create a level`,
    },
    {
      isDone: made.licenses > 0,
      title: t`first license`,
      to: paths.licenses(),
      action: made.licenses > 0 ? t`Licenses` : t`Create a license`,
    },
    {
      isDone: isConnected,
      title: isConnected ? t`program connected` : t`waiting for the first program`,
      to: paths.settings(),
      action: t`Show the code to paste`,
    },
  ]
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section
      aria-labelledby="first-steps"
      className="corner-ticks mb-4 rounded-lg border border-line bg-surface-1 p-4 pb-3"
    >
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id="first-steps" className="text-section font-semibold">
          {isConnected ? t`Your program is connected` : t`Steps to a running program`}
        </h2>
        <IconButton size="sm" label={t`Dismiss the steps`} icon={<X />} onClick={onDismiss} />
      </div>
      <ol className="grid gap-x-6 gap-y-1.5 min-[640px]:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <StepLine key={index} step={step} isNow={index === current} isLast={index === steps.length - 1} />
        ))}
      </ol>
    </section>
  )
}

interface Step {
  isDone: boolean
  title: string
  to: string
  action: string
}

function StepLine({ step, isNow, isLast }: { step: Step; isNow: boolean; isLast: boolean }) {
  const { isDone, title, to, action } = step
  const spoken = isDone ? t({ message: 'Done', context: 'step' }) : isNow ? t`Now` : t`Later`
  const color = isLast && isDone ? 'text-accent-text' : isDone || isNow ? 'text-text' : 'text-text-2'
  return (
    <li className="flex gap-2.5" aria-current={isNow ? 'step' : undefined}>
      <span
        aria-hidden="true"
        translate="no"
        className={`machine whitespace-pre ${isDone || isNow ? 'text-accent-text' : 'text-text-3'}`}
      >
        [{isDone ? 'ok' : isNow ? '··' : '  '}]
      </span>
      <VisuallyHidden>{spoken}: </VisuallyHidden>
      <span className="min-w-0">
        <span className={`machine flex items-center gap-2.5 ${color}`}>
          <span>{title}</span>
          {isLast && (isNow || isDone) && <LiveDot on={isDone} />}
        </span>
        <Link to={to} className="block truncate text-meta text-text-2 underline decoration-line-strong hover:text-text">
          {action}
        </Link>
      </span>
    </li>
  )
}
