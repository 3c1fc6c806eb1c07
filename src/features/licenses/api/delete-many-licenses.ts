import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { deleteLicenses, lockLicensesByUse } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { shouldDeleteUsers } from '../licenses.reply.ts'

const licensesPerTransaction = 1000

type DeleteCall = typeof licensesContract.deleteAllLicenses

/**
 * Deletes piece by piece, so that programs' calls pass in between, and tells how many went. What was
 * deleted before a crash stays deleted; calling again does the rest (R-LIC-07).
 */
async function deleteByUse(context: CallContext<DeleteCall>, used: 0 | 1 | undefined, which: string) {
  const { services, app, body } = context
  const total = { deleted: 0, deletedUsers: 0 }
  let { after = 0, maxRows: left = Infinity } = body
  for (let limit = 0, found = 0; found === limit && left > 0; left -= found) {
    limit = Math.min(licensesPerTransaction, left)
    const licenses = await services.db.write(async (tx) => {
      const held = await lockLicensesByUse(tx, { appId: app.id, used, afterId: after, limit })
      if (held.length === 0) return held
      const { deleted, deletedUsers } = await deleteLicenses(tx, app.id, held, shouldDeleteUsers(body))
      await recordAudit(tx, context, { act: `license.delete-${which}`, target: `${deleted} licenses` })
      total.deleted += deleted
      total.deletedUsers += deletedUsers
      return held
    })
    found = licenses.length
    after = licenses.at(-1)?.id ?? after
  }
  const next = left > 0 ? null : after
  return { message: `Deleted ${total.deleted} licenses successfully`, ...total, next }
}

export const deleteUnusedLicenses = endpoint(licensesContract.deleteUnusedLicenses, {
  writeInBatches: (context) => deleteByUse(context as unknown as CallContext<DeleteCall>, 0, 'unused'),
})

export const deleteUsedLicenses = endpoint(licensesContract.deleteUsedLicenses, {
  writeInBatches: (context) => deleteByUse(context as unknown as CallContext<DeleteCall>, 1, 'used'),
})

export const deleteAllLicenses = endpoint(licensesContract.deleteAllLicenses, {
  writeInBatches: (context) => deleteByUse(context, undefined, 'all'),
})
