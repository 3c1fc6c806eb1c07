import { licenseSpecOf } from '#features/licenses/licenses.reply.ts'
import { createLicenses as createLicensesAction } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const createLicenses = endpoint(sellerLicensesContract.createLicenses, {
  write: async (tx, context) => {
    const { actor, app, body, now } = context
    const form = licenseSpecOf(body)
    const maker = { name: actor.name, resellerId: null }
    const keys = await createLicensesAction(tx, { appId: app.id, form, maker, now })
    await recordAudit(tx, context, {
      act: 'license.create',
      target: keys.length === 1 ? (keys[0] as string) : `${keys.length} licenses`,
      details: { amount: keys.length, level: form.level, expiryUnit: form.expiryUnit, duration: form.duration },
    })
    return { message: `Created ${keys.length} licenses successfully`, licenses: keys, keys }
  },
  present: (reply, { query }) => {
    if (query.format !== 'text') return reply
    return { stream: lines(reply.licenses), headers: { 'content-type': 'text/plain; charset=utf-8' } }
  },
})

/** A shop sends what it gets to the buyer: nothing but the keys. */
async function* lines(keys: readonly string[]): AsyncGenerator<string> {
  yield keys.join('\n')
}
