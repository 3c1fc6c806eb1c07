import { t } from '@lingui/core/macro'
import type { QueryKey } from '@tanstack/react-query'
import { notify } from '../browser/notify.ts'
import { failureText } from './errors.ts'
import { queryClient } from './query-client.ts'

/** A change that the screen shows before the server has answered. */
export interface OptimisticChange<C, Reply> {
  /** Identifies what is changed: two changes of it are sent one after the other, so that the last one counts. */
  id: string
  /** Of all queries that show the value: lists, panels, counts. */
  queryKeys: readonly QueryKey[]
  /** What is cached, with the new value; the same object where it is not shown. May run several times. */
  show: (cached: C) => C
  /** What is cached, with the former value again. */
  takeBack: (cached: C) => C
  send: () => Promise<Reply>
  /** Reloads what the change affects; by default, the queries themselves. */
  refresh?: (() => Promise<unknown>) | undefined
}

interface Cached extends OptimisticChange<object, unknown> {
  scope: string
}

/** Sent, and not answered yet. */
const pending = new Set<Cached>()

const isUnder = (key: QueryKey, prefix: QueryKey) =>
  prefix.every((part, index) => JSON.stringify(key[index]) === JSON.stringify(part))

function apply({ queryKeys }: Cached, change: (cached: object) => object): void {
  for (const queryKey of queryKeys) {
    queryClient.setQueriesData<object>({ queryKey }, (cached) => cached && change(cached))
  }
}

// A reply that was read before the change is stored still has the former value.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
  const { queryKey } = event.query
  for (const { queryKeys, show } of pending) {
    if (!queryKeys.some((prefix) => isUnder(queryKey, prefix))) continue
    queryClient.setQueryData<object>(queryKey, (cached) => cached && show(cached))
  }
})

function takeBackFailed(failed: Cached): void {
  const { takeBack } = failed
  apply(failed, takeBack)
  for (const other of pending) apply(other, other.show)
  const next = [...pending].find(({ scope }) => scope === failed.scope)
  if (next === undefined) return
  // Its former value was that of the failed change, which never was stored.
  const takeBackNext = next.takeBack
  next.takeBack = (cached) => takeBack(takeBackNext(cached))
}

const scopeOf = ({ queryKeys, id }: Pick<Cached, 'queryKeys' | 'id'>): string => JSON.stringify([queryKeys, id])

/**
 * Shows a change at once, sends it, and takes it back if it fails, whatever else has changed meanwhile.
 * @throws what `send` throws
 */
export async function showAtOnce<C extends object, Reply>(change: OptimisticChange<C, Reply>): Promise<Reply> {
  const shown: Cached & { send: () => Promise<Reply> } = {
    ...(change as unknown as OptimisticChange<object, Reply>),
    scope: scopeOf(change),
  }
  const { queryKeys, show, send } = shown
  pending.add(shown)
  apply(shown, show)
  // Replies on their way may be older than the change.
  await Promise.all(queryKeys.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  apply(shown, show)
  // As a mutation, so that lists that follow changes wait for it.
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: send, scope: { id: shown.scope } })
  try {
    return await mutation.execute(undefined)
  } catch (error) {
    pending.delete(shown)
    takeBackFailed(shown)
    throw error
  } finally {
    pending.delete(shown)
    void (change.refresh?.() ?? Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))))
  }
}

interface SaidChange<C, Reply> extends OptimisticChange<C, Reply> {
  onDone: (reply: Reply) => void
  /** Text of a failure that the server does not explain. */
  failure: string
}

/** The same for a button: a failure is shown in a toast that offers Retry. False if it failed. */
export async function changeAtOnce<C extends object, Reply>(change: SaidChange<C, Reply>): Promise<boolean> {
  try {
    change.onDone(await showAtOnce(change))
    return true
  } catch (error) {
    const retry = { label: t`Retry`, onAction: () => void changeAtOnce(change), subject: scopeOf(change) }
    notify.error(failureText(error, change.failure), { action: retry })
    return false
  }
}

/**
 * What is cached, with changed fields in the objects that are meant: rows of a list, the record of a panel. Everything
 * else stays the same object.
 */
export function withFields<T extends object>(
  isMeant: (value: Partial<T>) => boolean,
  fields: Partial<T>,
): <C>(cached: C) => C {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const changed = value.map(change)
      return changed.some((each, index) => each !== value[index]) ? changed : value
    }
    if (typeof value !== 'object' || value === null) return value
    if (isMeant(value as T)) return { ...value, ...fields }
    const entries = Object.entries(value).map(([name, own]) => [name, own, change(own)] as const)
    if (entries.every(([, own, changed]) => own === changed)) return value
    return Object.fromEntries(entries.map(([name, , changed]) => [name, changed]))
  }
  return <C>(cached: C) => change(cached) as C
}
