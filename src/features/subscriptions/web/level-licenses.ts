import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { paths } from '#web/navigation/paths.ts'

/** The number of licenses of these levels; with `isMore`, the server stopped counting. */
export const licenseCountQuery = (levels: readonly number[]) =>
  queryOptions({
    queryKey: appKey('licenses', 'of-levels', levels),
    queryFn: async ({ signal }) => {
      const counts = []
      for (const level of levels) counts.push(await call('GET /licenses', { query: { level, limit: 1 }, signal }))
      return { total: counts.reduce((sum, { total }) => sum + total, 0), isMore: counts.some(({ isMore }) => isMore) }
    },
    enabled: levels.length > 0,
  })

export const licensesOfLevel = (level: number) => ({ to: paths.licenses(), search: { 'f.level': String(level) } })
