import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { ownerErrors } from '#features/accounts/accounts.errors.ts'
import { usedStorage } from '#features/downloads/downloads.reads.ts'
import { bytesPerMb } from '#features/downloads/downloads.rules.ts'
import { planInForce } from '#features/plans/plans.reads.ts'
import { unlimited } from '#features/plans/plans.rules.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { planUseOf } from '#features/profile/profile.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { banOwner, changeOwnerPlan, deleteOwner, sendPasswordReset } from '../admin.actions.ts'
import { adminContract as contract } from '../admin.contract.ts'
import { ownerReplies, ownerReply } from '../admin.reply.ts'
import { countOwners, findOwner, lastSignInOf, listOwners } from '../owners.reads.ts'

export const ownerCalls: readonly Endpoint[] = [
  endpoint(contract.listOwners, {
    read: async ({ services: { db }, query, now }) => {
      const { page = 1, limit = 10, days, ...given } = query
      const filter = days === undefined ? given : { ...given, from: Math.max(given.from ?? 0, now - days * 86_400) }
      const total = await countOwners(db.reports, filter, now)
      const accounts = await listOwners(db.reports, { ...filter, offset: (page - 1) * limit, limit }, now)
      const owners = await ownerReplies(db, accounts, now)
      return { owners, total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.getOwner, {
    read: async ({ services: { db }, params: { id }, now }) => {
      const account = (await findOwner(db.reports, id)) ?? reject(ownerErrors, 'OWNER_NOT_FOUND')
      const plan = await planInForce(db.reports, account, now)
      const { storageMb } = plan.limits
      return {
        owner: await ownerReply(db, account, now),
        twoFactor: account.totp_enabled_at !== null,
        lastSignInAt: (await lastSignInOf(db.reports, id)) ?? null,
        ...(await planUseOf(db.reports, id, plan)),
        storage: {
          usedBytes: await usedStorage(db.reports, id),
          limitBytes: storageMb === unlimited ? unlimited : storageMb * bytesPerMb,
        },
      }
    },
  }),
  endpoint(contract.banOwner, {
    write: async (tx, context) => {
      const banned = await banOwner(tx, context, { id: context.params.id, banned: context.body?.banned })
      return { code: banned ? 'OWNER_BAN_OK' : 'OWNER_UNBAN_OK', banned }
    },
  }),
  endpoint(contract.changeOwnerPlan, {
    write: async (tx, context) => {
      const { planExpiresAt, previous } = await changeOwnerPlan(tx, context, { ...context.params, ...context.body })
      return { code: 'OWNER_PLAN_OK', planExpiresAt, previous }
    },
  }),
  endpoint(contract.sendPasswordReset, {
    write: async (tx, context) => {
      const link = await sendPasswordReset(tx, context, context.params.id)
      return link ? { code: 'RESET_LINK_OK', ...link } : { code: 'OWNER_RESET_OK' }
    },
  }),
  endpoint(contract.deleteOwner, {
    write: async (tx, context) => {
      await deleteOwner(tx, context, context.params.id)
      tx.afterCommit(() => void removeErasedAccounts(context.services))
      return { code: 'OWNER_DELETE_OK' }
    },
  }),
]
