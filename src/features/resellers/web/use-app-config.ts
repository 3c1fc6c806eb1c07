import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#web/api/call.ts'
import { isUnanswered } from '#web/api/call-failed.ts'
import { failureText } from '#web/api/errors.ts'
import { conflictingValues, isSameValue, pickFields } from '#web/form/field-changes.ts'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { type AssignedApp, refreshResellers, type Reseller, resellerQuery } from './resellers-data.ts'

export interface AppConfig {
  credits: number
  allowedPlans: string[]
  planCosts: Record<string, number>
  allowedSubscriptions: number[]
}

export type SaveState = { kind: 'none' | 'saving' | 'failed' } | { kind: 'saved'; at: number; undo: () => void }

export interface AppConfigEditor {
  /** The stored configuration with the unsaved edits. */
  config: AppConfig
  /** The stored configuration. */
  saved: AppConfig
  /** Saved with all other edits, two seconds after the last one. */
  change: (change: Partial<AppConfig>) => void
  state: SaveState
  /** Saves what is still waiting, and what failed. */
  saveNow: () => void
}

/** A plan goes on sale with the cost that was typed for it, so one is not saved without the other. */
const savedTogether: readonly string[] = ['allowedPlans', 'planCosts'] satisfies (keyof AppConfig)[]

/** Each save is an event in the audit, so edits made in one go are saved together. */
const pauseMs = 2000

const configOf = ({ credits, allowedPlans, planCosts, allowedSubscriptions }: AssignedApp): AppConfig => ({
  credits,
  allowedPlans,
  planCosts,
  allowedSubscriptions,
})

/**
 * Saves a reseller's app configuration once editing pauses: one request at a time, each with the changed fields and
 * their previous values. If the server rejects them, the reseller is reloaded; if it is unreachable, edits are kept.
 */
export function useAppConfig({ id, username }: Reseller, app: AssignedApp): AppConfigEditor {
  const stored = configOf(app)
  const [edits, setEdits] = useState<Partial<AppConfig>>({})
  const [state, setState] = useState<SaveState>({ kind: 'none' })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A save expects to find the value that was stored when editing of the field began.
  const latest = useRef({ stored, edits, seen: {} as Partial<AppConfig>, isSending: false, isMounted: true })
  useEffect(() => {
    latest.current.stored = stored
  })

  const edit = (next: Partial<AppConfig>, expected: Partial<AppConfig> = {}) => {
    const { stored: now, seen } = latest.current
    latest.current.seen = pickFields({ ...now, ...seen, ...expected }, fieldsOf(next))
    latest.current.edits = next
    setEdits(next)
  }

  const dropEdits = (isDone: (name: keyof AppConfig) => boolean) => {
    const { edits: current } = latest.current
    const kept = fieldsOf(current).filter((name) => !isDone(name))
    edit(pickFields(current as AppConfig, kept))
  }

  const send = async (): Promise<void> => {
    clearTimeout(timer.current)
    timer.current = undefined
    const { seen, edits: typed, isSending } = latest.current
    if (isSending) return
    const names = fieldsOf(typed).filter((name) => !isSameValue(typed[name], seen[name]))
    if (names.length === 0) {
      edit({})
      setState((now) => (now.kind === 'saved' ? now : { kind: 'none' }))
      return
    }
    const [change, undone] = [pickFields(typed as AppConfig, names), pickFields(seen as AppConfig, names)]
    latest.current.isSending = true
    setState({ kind: 'saving' })
    try {
      const params = { id, app: app.appName }
      const reply = await call('PUT /resellers/{id}/apps/{app}', { params, body: { ...change, before: undone } })
      const saved = reply.assignedApps.find(({ appId }) => appId === app.appId)
      const now = saved ? configOf(saved) : { ...latest.current.stored, ...change }
      if (saved) Object.assign(latest.current, { stored: now, seen: {} })
      showApps(username, reply.assignedApps)
      const { edits: current } = latest.current
      dropEdits((name) => isSameValue(current[name], change[name]))
      // Undo takes back this save, not what has changed since.
      setState({ kind: 'saved', at: nowSeconds(), undo: () => changeNow(undone, pickFields(now, names)) })
    } catch (error) {
      latest.current.isSending = false
      setState({ kind: isUnanswered(error) ? 'failed' : 'none' })
      const failure = failureText(error, t`Failed to update configuration`)
      if (isUnanswered(error)) {
        const action = { label: t`Retry`, onAction: () => void send() }
        if (!latest.current.isMounted) notify.error(failure, { action, duration: Infinity })
        return
      }
      notify.error(failure)
      const changed = Object.keys(conflictingValues(error))
      const rejected: readonly string[] = changed.length > 0 ? changed : names
      const isOfPlans = savedTogether.some((name) => rejected.includes(name))
      dropEdits((name) => rejected.includes(name) || (isOfPlans && savedTogether.includes(name)))
      await refreshResellers()
    }
    latest.current.isSending = false
    // Sends edits made meanwhile; ongoing typing has its own timer.
    if (fieldsOf(latest.current.edits).length > 0 && timer.current === undefined) await send()
  }

  const changeNow = (change: Partial<AppConfig>, expected: Partial<AppConfig>) => {
    edit({ ...latest.current.edits, ...change }, expected)
    void send()
  }
  const change = (changed: Partial<AppConfig>) => {
    edit({ ...latest.current.edits, ...changed })
    setState({ kind: 'saving' })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void send(), pauseMs)
  }

  // Leaving the page within the delay must still save the typed value.
  const flush = useEffectEvent(() => timer.current !== undefined && void send())
  useEffect(() => {
    const own = latest.current
    own.isMounted = true
    return () => {
      own.isMounted = false
      flush()
    }
  }, [])
  const isUnsaved = fieldsOf(edits).length > 0
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true, disabled: !isUnsaved })

  return { config: { ...stored, ...edits }, saved: stored, change, state, saveNow: () => void send() }
}

const fieldsOf = (edits: Partial<AppConfig>) => Object.keys(edits) as (keyof AppConfig)[]

/** Updates the cached apps with the server's response. */
function showApps(username: string, assignedApps: AssignedApp[]): void {
  const totalCredits = assignedApps.reduce((sum, { credits }) => sum + credits, 0)
  queryClient.setQueryData(
    resellerQuery(username).queryKey,
    (reseller) => reseller && { ...reseller, assignedApps, stats: { ...reseller.stats, totalCredits } },
  )
  const isOther = (key: readonly unknown[]) => key[1] === 'list' || key[1] === 'history'
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'resellers' && isOther(queryKey) })
}
