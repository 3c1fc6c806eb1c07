import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { type ListFilter, pagedList } from '#web/list/list-source.ts'
import { notifyUndoable } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { resellerStatuses } from '../reseller-status.rules.ts'
import { readHistory } from './history-file.ts'

export type ResellerCounts = CallReply<'GET /resellers'>['counts']
export type Reseller = CallReply<'GET /resellers'>['resellers'][number]
export type AssignedApp = Reseller['assignedApps'][number]
export type Transaction = CallReply<'GET /resellers/{id}/credits/history'>['history'][number]

type ResellerFilter = Pick<ListFilter<'GET /resellers'>, 'search' | 'status' | 'assignedAppId' | 'credits'>

const maxIdLength = 40

/** Keyed by username, which the search matches and links contain. */
export const resellerList = pagedList({
  key: () => accountKey('resellers', 'list'),
  call: 'GET /resellers',
  rows: ({ resellers }) => resellers,
  rowId: ({ username }) => username,
  table: {
    filters: { status: resellerStatuses, app: 'text', credits: ['low'] },
    several: ['status'],
    sorts: ['username', 'email', 'created'],
  },
  // The table only offers valid values.
  filter: ({ search, filters: { status, app, credits } }): ResellerFilter => ({
    search: search.trim() || undefined,
    status: status as ResellerFilter['status'],
    assignedAppId: app && app.length <= maxIdLength ? app : undefined,
    credits: credits as ResellerFilter['credits'],
  }),
  live: 'resellers',
})

export const resellerQuery = (username: string) =>
  queryOptions({
    queryKey: accountKey('resellers', 'one', username),
    queryFn: async ({ signal }) =>
      (await call('GET /resellers/by-username/{username}', { params: { username }, signal })).reseller,
  })

/** Number of latest transfers shown. */
const historyLength = 50

export const historyQuery = (id: string, appName: string | undefined) =>
  infiniteQueryOptions({
    queryKey: accountKey('resellers', 'history', id, appName),
    queryFn: ({ signal, pageParam: before }) =>
      call('GET /resellers/{id}/credits/history', {
        params: { id },
        query: { limit: historyLength, appName, before },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** The history for export, not only the rows shown. */
export const wholeHistory = (id: string, appName: string | undefined): Promise<Transaction[]> =>
  readHistory((page) => call('GET /resellers/{id}/credits/history', { params: { id }, query: { appName, ...page } }))

export type ResellerDomain = NonNullable<CallReply<'GET /resellers/{id}/domain'>['domain']>

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: accountKey('resellers', 'domain', id),
    queryFn: async ({ signal }) => (await call('GET /resellers/{id}/domain', { params: { id }, signal })).domain,
  })

/** Refetches the reseller data in view. */
export const refreshResellers = () => queryClient.invalidateQueries({ queryKey: accountKey('resellers') })

/** Link where the reseller chooses an email address and a password. */
export const setupLink = (registrationToken: string): string =>
  new URL(paths.resellerSetup(registrationToken), location.origin).href

export const startReset = ({ id }: Pick<Reseller, 'id'>) =>
  call('POST /resellers/{id}/password-reset', { params: { id } })

/** Can be undone. */
export async function setResellerBanned({ id }: Pick<Reseller, 'id'>, banned: boolean): Promise<void> {
  const isReseller = (row: Partial<Reseller>) => row.id === id && row.banned !== undefined
  await changeAtOnce({
    id,
    queryKeys: [accountKey('resellers')],
    show: withFields<Reseller>(isReseller, { banned }),
    takeBack: withFields<Reseller>(isReseller, { banned: !banned }),
    send: () => call('POST /resellers/{id}/ban', { params: { id }, body: { banned } }),
    onDone: (reply) => notifyUndoable(successText(reply), () => void setResellerBanned({ id }, !banned)),
    failure: t`Failed to update reseller status`,
  })
}

/** The list of licenses in the selected app that a reseller has created. */
export const licensesOfReseller = (id: string) => ({ to: paths.licenses(), search: { 'f.reseller': id } })

/** How many of them there are. */
export const licensesInApp = ({ licensesByApp }: Reseller['stats'], app: { appId: string } | undefined): number =>
  licensesByApp.find(({ appId }) => appId === app?.appId)?.licenses ?? 0
