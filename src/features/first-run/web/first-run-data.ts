import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { earlyData } from '#web/api/early-data.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import type { App } from '#web/session/session.ts'

/** Test keys are recognized by it on any browser, and by their owner in every list. */
export const testMask = 'TEST-####-####-####-####'
const isTestKey = (key: string): boolean => /^TEST(-[A-Z0-9]{4}){4}$/.test(key)

const one = { limit: 1 }
const made = (levels: CallReply<'GET /subscriptions'> | undefined, licenses: CallReply<'GET /licenses'> | undefined) =>
  levels && licenses && { levels: levels.subscriptions.length, licenses: licenses.total }

/** How many levels and licenses the app has; `public/start.js` asks as well. */
export const madeQuery = () =>
  queryOptions({
    queryKey: appKey('first-run', 'made'),
    queryFn: async ({ signal }) =>
      made(
        ...(await Promise.all([call('GET /subscriptions', { signal }), call('GET /licenses', { query: one, signal })])),
      ),
    initialData: () => made(earlyData('GET /subscriptions'), earlyData('GET /licenses', one)),
  })

export const testKeyKey = (appId?: string) => appKeyOf(appId, 'first-run', 'test-key')

/** The newest test key of the app; null if there is none. */
export const testKeyQuery = ({ appId }: App) =>
  queryOptions({
    queryKey: testKeyKey(appId),
    queryFn: async ({ signal }): Promise<string | null> => {
      const { licenses } = await call('GET /licenses', { query: { search: 'TEST-', limit: 100 }, signal })
      return licenses.find(({ license }) => isTestKey(license))?.license ?? null
    },
  })

/** What programs and people did with a license key. */
export const runsQuery = (key: string | undefined) =>
  queryOptions({
    queryKey: appKey('first-run', 'runs', key),
    queryFn: ({ signal }) => call('GET /diagnosis', { query: { search: key ?? '' }, signal }),
    enabled: key !== undefined,
    staleTime: 0,
  })

export const refreshFirstRun = () => queryClient.invalidateQueries({ queryKey: appKey('first-run') })
