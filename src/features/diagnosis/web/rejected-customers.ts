import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { appKey } from '#web/api/query-keys.ts'
import { unannouncedMs } from '#web/list/list-source.ts'

type Log = CallReply<'GET /logs'>['logs'][number]

export const rejectedDays = 7
/** The newest rejections that are looked through. */
const maxRejections = 100
const maxCustomers = 8

export interface RejectedCustomer {
  /** Username, or the license key that the program sent. */
  name: string
  isLicense: boolean
  /** Error code of the last rejection. */
  code: string
  /** Epoch seconds of the last rejection. */
  at: number
  times: number
}

/** Customers of rejections that are newest first, each once, with the last reason. */
export function rejectedCustomers(rejections: readonly Log[]): RejectedCustomer[] {
  const customers = new Map<string, RejectedCustomer>()
  for (const { credential: name, license, code, timestamp: at } of rejections) {
    const known = customers.get(name)
    if (known) known.times++
    else customers.set(name, { name, isLicense: name === license, code, at, times: 1 })
  }
  return [...customers.values()]
}

/** Customers who were rejected lately for a reason that the owner can remove, the last one first. */
export const rejectedCustomersQuery = () =>
  queryOptions({
    queryKey: appKey('diagnosis', 'rejected'),
    queryFn: async ({ signal }) => {
      const query = { customers: 'rejected', days: rejectedDays, page: 1, limit: maxRejections } as const
      const { logs, customers } = await call('GET /logs', { query, signal })
      return { newest: rejectedCustomers(logs).slice(0, maxCustomers), all: customers ?? { count: 0, isMore: true } }
    },
    staleTime: 0,
    refetchInterval: unannouncedMs,
  })
