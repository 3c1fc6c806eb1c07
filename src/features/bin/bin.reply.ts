import type { Static } from 'typebox'
import { type BinKind, binRetentionSeconds } from '#contract/bin.ts'
import type { DeletedDownload } from '#features/downloads/deleted-downloads.actions.ts'
import type { DeletedLicense } from '#features/licenses/deleted-licenses.actions.ts'
import { licenseStatus } from '#features/licenses/licenses.rules.ts'
import type { DeletedSubscription } from '#features/subscriptions/deleted-subscriptions.actions.ts'
import type { DeletedUser } from '#features/users/deleted-users.actions.ts'
import type { DeletedWebhook } from '#features/webhooks/deleted-webhooks.actions.ts'
import type { binContract } from './bin.contract.ts'
import type { BinItem } from './bin.reads.ts'

type ItemReply = Static<typeof binContract.listBin.reply>['items'][number]

/** An item as the list shows it: without secrets and hashes. */
export function itemReply(item: BinItem, names: ReadonlyMap<number, string>): ItemReply {
  const { kind, name, deleted_at: deletedAt } = item
  const { levels = [], status = null, users = null } = detailsOf(item)
  return {
    id: Number(item.id),
    // The list has no other kinds.
    kind: kind as BinKind,
    name,
    status,
    users,
    size: kind === 'file' ? Number(item.bytes) : null,
    subscriptions: levels.map((level) => ({ level, name: names.get(level) ?? null })),
    deletedAt,
    deletedBy: { type: item.deleted_by_type, name: item.deleted_by },
    removedAt: deletedAt + binRetentionSeconds,
  }
}

interface Details {
  levels?: number[]
  status?: ItemReply['status']
  users?: number
}

function detailsOf({ kind, content }: BinItem): Details {
  if (kind === 'license') {
    const { license } = JSON.parse(content) as DeletedLicense
    const status = licenseStatus({ used: license.used === 1, banned: license.banned === 1 })
    return { levels: [license.level], status }
  }
  if (kind === 'user') {
    const { user, subscriptions } = JSON.parse(content) as DeletedUser
    const status = user.banned === 1 ? 'banned' : user.paused === 1 ? 'paused' : null
    return { levels: subscriptions.map(({ level }) => level).toSorted((one, other) => one - other), status }
  }
  if (kind === 'file') {
    const { active } = JSON.parse(content) as DeletedDownload
    return active === 0 ? { status: 'disabled' } : {}
  }
  if (kind === 'subscription') {
    const { subscription, users } = JSON.parse(content) as DeletedSubscription
    return { users, status: subscription.active === 1 ? null : 'paused' }
  }
  if (kind === 'webhook') {
    const { stopped_at: stoppedAt } = JSON.parse(content) as DeletedWebhook
    return stoppedAt === null ? {} : { status: 'stopped' }
  }
  return {}
}
