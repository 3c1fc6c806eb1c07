import { done } from '#contract/define-call.ts'
import { createLicenses as createLicensesAction } from '#features/licenses/licenses.actions.ts'
import { licenseSpecOf } from '#features/licenses/licenses.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

const call = sellerLicensesContract.createLicenses

export const createLicenses = endpoint(call, {
  write: async (tx, context) => {
    const issuer = { name: context.actor.name, resellerId: null }
    const keys = await createLicensesAction(tx, context, { spec: licenseSpecOf(context.body), issuer })
    return { ...done(call, 'LICENSES_CREATE_OK', { count: keys.length }), licenses: keys, keys }
  },
  present: (reply, { query }) => {
    if (query.format !== 'text') return reply
    return { stream: lines(reply.licenses), headers: { 'content-type': 'text/plain; charset=utf-8' } }
  },
})

/** Nothing but the keys: a shop sends what it gets to the buyer. */
async function* lines(keys: readonly string[]): AsyncGenerator<string> {
  yield keys.join('\n')
}
