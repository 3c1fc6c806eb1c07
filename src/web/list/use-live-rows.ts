import { hashKey, type QueryKey } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallFailed } from '../api/call-failed.ts'
import { addLiveList } from '../api/live-lists.ts'
import { paced } from '../api/paced.ts'
import { queryClient } from '../api/query-client.ts'
import type { LiveRows } from '../table/table-list.ts'
import type { ListRequest } from './list-request.ts'
import type { ListSource } from './list-source.ts'

const restMs = 1000

interface Taken<D> {
  /** The cached data that this belongs to: any other was loaded again. */
  data: D
  /** The data of a whole list is the same for other requests. */
  request: ListRequest
  gone: ReadonlySet<string>
  added: number
}

/**
 * Takes what others change in a list into the rows in view: changed rows in place, deleted ones marked; new ones are
 * counted. `data` is the reply to the request, if it has arrived, under `queryKey`, which a source with times would make
 * another one by now.
 */
export function useLiveRows<R, D, F>(
  source: ListSource<R, D, F>,
  request: ListRequest,
  { queryKey, data }: { queryKey: QueryKey; data: D | undefined },
): LiveRows | undefined {
  const { live } = source
  const [taken, setTaken] = useState<Taken<D>>()
  const [isLoading, setIsLoading] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()
  const loaded = useRef<{ data: D; total: number; endsInView: boolean }>(undefined)
  useEffect(() => {
    if (data === undefined || data === loaded.current?.data) return
    const { rows, total, isMore } = source.page(data, request)
    loaded.current = { data, total, endsInView: !isMore && (request.page - 1) * request.limit + rows.length >= total }
  }, [source, request, data])

  useEffect(() => {
    if (!live) return
    let isOver = false
    let isPartial = false
    const update = paced(async () => {
      const before = queryClient.getQueryState<D>(queryKey)
      const view = loaded.current
      // What is being loaded may be older than the change; what this tab does is loaded anyway.
      if (before?.fetchStatus === 'fetching' || queryClient.isMutating() > 0) return update.request()
      if (before?.data === undefined || view === undefined) return
      if (before.data !== view.data) return update.request()
      const shown = source.page(before.data, request).rows
      if (shown.length === 0) return queryClient.refetchQueries({ queryKey, exact: true })
      // Loaded with the first change: no page waits for it.
      const read = live.read ?? (await import('./live-read.ts')).readLivePage
      const {
        data: fresh,
        rows,
        gone,
        added,
        requests,
      } = await read({
        source,
        request,
        shown,
        before: before.data,
        ...view,
      }).catch((error: unknown) => {
        if (!isOver && error instanceof CallFailed && error.status !== 0) setFailure(error)
        throw error
      })
      if (!isOver) setFailure(undefined)
      const now = queryClient.getQueryState<D>(queryKey)
      if (isOver) return requests
      if (now?.data !== before.data || now.fetchStatus !== 'idle') return update.request()
      const stored = queryClient.setQueryData<D>(queryKey, live.withRows(fresh, rows))
      if (stored === undefined) return requests
      loaded.current = { ...view, data: stored }
      isPartial = gone.size + added > 0
      setTaken({ data: stored, request, gone, added })
      return requests
    }, restMs)
    const { subjects, everyMs } = live
    const queryHash = hashKey(queryKey)
    const remove = addLiveList({ subjects, queryHash, onChanged: update.request, onReturn: update.retry })
    const onTime = () => document.visibilityState === 'visible' && update.request()
    const timer = everyMs === undefined ? undefined : setInterval(onTime, everyMs)
    if (subjects.length === 0) document.addEventListener('visibilitychange', onTime)
    return () => {
      isOver = true
      setFailure(undefined)
      remove()
      update.stop()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onTime)
      // The page is loaded again when it is next shown.
      if (isPartial) void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
    }
  }, [source, live, request, queryKey])

  const show = useCallback(async () => {
    setIsLoading(true)
    await queryClient.refetchQueries({ queryKey, exact: true })
    setIsLoading(false)
    setFailure(undefined)
  }, [queryKey])
  const current = taken !== undefined && taken.data === data && taken.request === request ? taken : undefined
  return useMemo(
    () =>
      live && { added: current?.added ?? 0, gone: current?.gone ?? none, isLoading, failure, show: () => void show() },
    [live, current, isLoading, failure, show],
  )
}

const none: ReadonlySet<string> = new Set()
