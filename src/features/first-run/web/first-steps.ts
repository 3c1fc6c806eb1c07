import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { firstStepsKey, writeStored } from '#web/browser/stored.ts'
import { paths } from '#web/navigation/paths.ts'
import { appsQuery } from '#web/session/session.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { twoFactorQuery } from '#features/accounts/web/account-queries.ts'
import { madeQuery } from './first-run-data.ts'

export interface FirstStep {
  id: 'app' | 'level' | 'license' | 'program' | 'two-factor'
  isDone: boolean
  title: string
  /** What the link leads to. */
  note: string
  to: string
  search?: { dialog: string }
}

/** Apps whose first program this tab has waited for: their steps stay until it is reloaded, or all are done. */
const awaited = new Set<string>()

/**
 * The steps to the first running program, each derived from stored data; undefined when there is none to take, and while
 * that is unknown. The last one is optional.
 */
export function useFirstSteps(): FirstStep[] | undefined {
  const { data: apps } = useQuery(appsQuery)
  const app = useSelectedApp()
  if (app?.lastInitAt === null) awaited.add(app.appId)
  const isShown = app ? awaited.has(app.appId) : apps?.length === 0
  const { data: made } = useQuery({ ...madeQuery(), enabled: isShown && app !== undefined })
  const { data: twoFactor } = useQuery({ ...twoFactorQuery, enabled: isShown, retry: false, staleTime: 60_000 })
  const appId = isShown ? app?.appId : undefined
  useEffect(() => writeStored(firstStepsKey, appId), [appId])
  if (!isShown || (app && !made)) return undefined
  const hasAnswered = app !== undefined && app.lastInitAt !== null
  const { levels, licenses } = made ?? { levels: 0, licenses: 0 }
  const createApp = paths.createApp()
  const steps: FirstStep[] = [
    {
      id: 'app',
      isDone: app !== undefined,
      title: app ? t`app created` : t`create an app`,
      note: app ? app.appName : t`Create New App`,
      to: app ? paths.settings() : createApp,
    },
    {
      id: 'level',
      isDone: levels > 0,
      title: t`subscription level`,
      note: levels > 0 ? t`Subscriptions` : t`Create a level`,
      to: app ? paths.subscriptions() : createApp,
    },
    {
      id: 'license',
      isDone: licenses > 0,
      title: t`first license`,
      note: licenses > 0 ? t`Licenses` : t`Create a test key`,
      to: app ? (licenses > 0 ? paths.licenses() : paths.connect()) : createApp,
    },
    {
      id: 'program',
      isDone: hasAnswered,
      title: hasAnswered ? t`program connected` : t`waiting for the first program`,
      note: t`Show the code to paste`,
      to: app ? paths.connect() : createApp,
    },
  ]
  if (twoFactor?.available) {
    const isDone = twoFactor.enabled
    const [title, note] = [t`two-factor sign-in`, t`Optional, protects your account`]
    const to = paths.profile()
    steps.push({ id: 'two-factor', isDone, title, note, to, ...(!isDone && { search: { dialog: 'two-factor' } }) })
  }
  return steps.every(({ isDone }) => isDone) ? undefined : steps
}
