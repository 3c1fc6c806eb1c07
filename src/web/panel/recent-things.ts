import { useEffect } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { readStoredJson, recentThingsKey, writeStored } from '../browser/stored.ts'
import { useAccount } from '../session/use-account.ts'
import { isOfApp, isThing, panelSubject, panelText, type Thing } from './panel-address.ts'
import { usePanel } from './use-panel.ts'

/**
 * What an account last opened in the panel, newest first, in this browser until it signs out: license keys are secrets
 * of customers.
 */

interface RecentThing {
  /** The app that it belongs to; null for a reseller, which belongs to the account. */
  appId: string | null
  /** As in the address. */
  subject: string
  /** Shown instead of an ID that says nothing. */
  name?: string | undefined
}

interface Stored {
  accountId: string
  things: readonly RecentThing[]
}

/** Of all apps together. */
const maxKept = 40

const readThings = (accountId: string): readonly RecentThing[] => {
  const stored = readStoredJson<Partial<Stored> | null>(recentThingsKey, null)
  return stored?.accountId === accountId && Array.isArray(stored.things) ? stored.things : []
}

const isSame = (one: RecentThing, other: RecentThing) => one.appId === other.appId && one.subject === other.subject

/** The things that can be opened while this app is selected. */
export function recentThings(accountId: string, appId: string | undefined): (Thing & { name: string })[] {
  return readThings(accountId)
    .filter((thing) => thing.appId === null || thing.appId === appId)
    .flatMap(({ subject: text, name }) => {
      const subject = panelSubject(text)
      return subject && isThing(subject) ? { ...subject, name: name ?? subject.id } : []
    })
}

/** Remembers what the panel shows, except in the administration, whose palette has nothing recent. */
export function useRememberOpened(name?: string): void {
  const { ownerid: accountId } = useAccount()
  const { subject } = usePanel()
  const text = subject && isThing(subject) ? panelText(subject) : undefined
  const appId = subject && isOfApp(subject.kind) ? selectedAppStore.get()?.appId : null
  useEffect(() => {
    if (text === undefined || appId === undefined) return
    const thing = { appId, subject: text, name }
    const things = [thing, ...readThings(accountId).filter((each) => !isSame(each, thing))].slice(0, maxKept)
    writeStored(recentThingsKey, JSON.stringify({ accountId, things } satisfies Stored))
  }, [accountId, appId, text, name])
}
