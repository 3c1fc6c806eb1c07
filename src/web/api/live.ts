import { useEffect } from 'react'
import type { AccountSubject, LiveSubject } from '#contract/live.ts'
import { useStore } from '../browser/store.ts'
import { selectedAppStore } from './app-selection.ts'
import { followChanges } from './live-tabs.ts'
import { isOutsideLiveLists, readApps, tellLiveLists } from './live-lists.ts'
import { paced } from './paced.ts'
import { queryClient } from './query-client.ts'
import { accountKey, appKeyOf } from './query-keys.ts'

const keys = {
  licenses: ['licenses', 'license-count', 'first-run'],
  users: ['users', 'user-totals', 'user-activity'],
  sessions: ['sessions', 'first-run'],
  alerts: ['alerts', 'alert-count', 'alert-stats'],
  subscriptions: ['subscriptions'],
  variables: ['variables'],
  files: ['downloads'],
  webhooks: ['webhooks', 'webhook-deliveries'],
  'seller-keys': ['seller-keys'],
  bin: ['bin'],
} as const satisfies Record<Exclude<LiveSubject, AccountSubject | 'user-variables'>, readonly string[]>

const restMs = 2000
/** It counts the sessions of all apps. */
const appsRestMs = 10_000
/** Sessions also end as time passes, and those of other apps are counted too. */
const appsPollMs = 60_000

/** Refetches what is shown of the selected app besides lists as it changes. */
export function useLiveApp(accountId: string): void {
  const appId = useStore(selectedAppStore)?.appId
  useEffect(() => {
    if (appId === undefined) return
    const changed = new Set<LiveSubject>()
    const refetch = paced(async () => {
      const subjects = [...changed]
      changed.clear()
      await invalidate(appId, subjects)
    }, restMs)
    const apps = paced(readApps, appsRestMs)
    const onTime = () => document.visibilityState === 'visible' && apps.request()
    const timer = setInterval(onTime, appsPollMs)
    const stop = followChanges({ accountId, appId }, (subjects) => {
      for (const subject of subjects) changed.add(subject)
      tellLiveLists(subjects)
      refetch.request()
      if (subjects.includes('sessions')) apps.request()
    })
    return () => {
      stop()
      clearInterval(timer)
      refetch.stop()
      apps.stop()
    }
  }, [accountId, appId])
}

async function invalidate(appId: string, subjects: readonly LiveSubject[]): Promise<void> {
  const predicate = isOutsideLiveLists()
  const keysOf = (subject: LiveSubject) => {
    if (subject === 'resellers' || subject === 'apps') return [accountKey(subject)]
    // Programs set variables often, and no list shows them.
    if (subject === 'user-variables') return [appKeyOf(appId, 'users', 'one')]
    return keys[subject].map((key) => appKeyOf(appId, key))
  }
  await Promise.all(subjects.flatMap(keysOf).map((queryKey) => queryClient.invalidateQueries({ queryKey, predicate })))
}
