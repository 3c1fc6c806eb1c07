import { reject } from '#contract/errors.ts'
import { ownerErrors } from '#features/accounts/accounts.errors.ts'
import { bytesPerMb } from '#features/downloads/downloads.rules.ts'
import { usedStorage } from '#features/downloads/downloads.reads.ts'
import { planInForce } from '#features/plans/plans.reads.ts'
import { unlimited } from '#features/plans/plans.rules.ts'
import { planUseOf } from '#features/profile/profile.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { ownerReply } from '../admin.reply.ts'
import { findOwner, lastSignInOf } from '../owners.reads.ts'

export const getOwner = endpoint(adminContract.getOwner, {
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
})
