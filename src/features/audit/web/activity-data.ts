import { plural, t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { nestedSettings } from '#features/apps/web/nested-settings.ts'
import { nestedPlan } from '#features/plans/plan-fields.rules.ts'
import { call } from '#web/api/call.ts'
import type { CallInput, CallReply } from '#web/api/call-types.ts'
import type { Coded } from '#web/api/code-text.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey, appKeyOf } from '#web/api/query-keys.ts'
import { appsQuery } from '#web/session/session.ts'
import type { BulkKind } from '#web/bulk/bulk-action.ts'
import { undoNow } from '#web/bulk/bulk-toasts.ts'
import { deletionUndo } from '#web/bulk/deletion-undo.ts'
import type { AuditEntry } from './audit-data.ts'

const shown = 50

/** The last actions of the account and its team; in the administration, those of the administrator. */
export const activityQuery = (accountId: string, isPlatform: boolean) =>
  queryOptions({
    queryKey: isPlatform ? accountKey('admin', 'audit', 'activity') : accountKey('audit', 'activity'),
    queryFn: ({ signal }) =>
      isPlatform
        ? call('GET /admin/audit', { query: { limit: shown, actor: 'team', actorId: accountId }, signal })
        : call('GET /audit', { query: { limit: shown, actor: 'team' }, signal }),
    staleTime: 0,
  })

/** Undoes the entry like its toast did, and tells the result. */
export async function undoEntry(entry: AuditEntry): Promise<void> {
  const { undo, act, target } = entry
  if (!undo) return
  const { kind, id } = undo
  if (kind === 'entry') await tell(() => call('POST /audit/{id}/undo', { params: { id } }))
  else if (kind === 'owner') {
    const banned = act === 'owner.unban'
    await tell(() => call('POST /admin/owners/{id}/ban', { params: { id }, body: { banned } }))
  } else if (kind === 'plan' || kind === 'owner-plan' || kind === 'settings' || kind === 'app')
    await tell(() => restore(kind, id, entry.details))
  else await undoNow(undoOf(kind, entry.app?.id), id, Number.parseInt(target, 10) || 0)
  await refreshAll(entry.app?.id)
}

/** Gives the fields of an edit their values from before, unless somebody has changed them since. */
function restore(kind: 'plan' | 'owner-plan' | 'settings' | 'app', id: string, details: AuditEntry['details']) {
  const params = { id }
  if (kind === 'owner-plan') {
    const { before, after } = details as { before: OwnerPlan; after: OwnerPlan }
    return call('POST /admin/owners/{id}/plan', { params, body: { ...before, before: after } })
  }
  const pairs = Object.entries(details['changes'] as Record<string, [before: unknown, after: unknown]>)
  const fields = Object.fromEntries(pairs.map(([field, [before]]) => [field, before]))
  const before = Object.fromEntries(pairs.map(([field, [, after]]) => [field, after]))
  if (kind === 'app') return call('POST /update_app', { appId: id, body: { ...nestedSettings(fields), before } })
  if (kind === 'settings')
    return call(`POST /admin/settings/${id as SettingsGroup}`, { body: { settings: fields, before } })
  return call('PUT /admin/plans/{id}', { params, body: { ...nestedPlan(fields), before: nestedPlan(before) } })
}

type SettingsGroup = keyof CallReply<'GET /admin/settings'>['settings']

type OwnerPlan = NonNullable<CallInput<'POST /admin/owners/{id}/plan'>['body']['before']>

const tell = (send: () => Promise<Coded>) => notifyOutcome(send, t`Failed to undo`)

type RecordedKind = 'licenses' | 'users' | 'seller-keys' | 'variables' | 'imports' | 'bin'

function undoOf(
  kind: RecordedKind,
  appId: string | undefined,
): Pick<BulkKind<object>, 'undo' | 'refresh' | 'restoredText'> {
  const deletion = deletionUndo(appId)
  const refresh = () => refreshAll(appId)
  if (kind === 'bin') return { ...deletion, refresh }
  const send: BulkKind<object>['undo'] = (body, options) => {
    const input = { body, appId, ...options }
    if (kind === 'licenses') return call('POST /licenses/undo', input)
    if (kind === 'variables') return call('POST /variables/undo', input)
    if (kind === 'imports') return call('POST /imports/undo', input)
    return kind === 'users' ? call('POST /users/undo', input) : call('POST /seller_keys/undo', input)
  }
  const restoredText = (count: number) => plural(count, { one: 'Restored # item', other: 'Restored # items' })
  return { undo: send, refresh, restoredText }
}

/** An undo may change anything of its app, and what the account shows of it. */
async function refreshAll(appId: string | undefined): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: appId ? appKeyOf(appId) : accountKey('resellers') })
  await queryClient.invalidateQueries(appsQuery)
  await queryClient.invalidateQueries({ queryKey: accountKey('audit') })
  for (const part of ['owners', 'plans', 'settings', 'stats'] as const)
    await queryClient.invalidateQueries({ queryKey: accountKey('admin', part) })
  await queryClient.invalidateQueries({ queryKey: accountKey('admin', 'audit') })
}
