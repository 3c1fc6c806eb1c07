import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { findOwnAppByName, listOwnApps } from '#features/apps/apps.reads.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { getReseller, moveCredits } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { resellersErrors } from '../resellers.errors.ts'
import { historyReply } from '../resellers.reply.ts'

const { addCredits: addCall, setCredits: setCall, creditHistory: historyCall } = resellersContract

async function move(tx: Tx, context: CallContext<typeof addCall>, action: 'add' | 'set') {
  const { appName, amount, subscriptionLevel: level } = context.body
  const credits = await moveCredits(tx, context, { action, id: context.params.id, appName, amount, level })
  return { code: 'CREDITS_OK', credits, totalCredits: credits } as const
}

export const addCredits = endpoint(addCall, { write: (tx, context) => move(tx, context, 'add') })

export const setCredits = endpoint(setCall, {
  write: (tx, context) => move(tx, context as unknown as CallContext<typeof addCall>, 'set'),
})

export const creditHistory = endpoint(historyCall, {
  read: async ({ services: { db }, actor, params, query }) => {
    await getReseller(db.read, actor.id, params.id)
    const { appName, limit = 50, before } = query
    const named = appName === undefined ? undefined : await findOwnAppByName(db.read, actor.id, appName)
    if (appName !== undefined && !named) reject(resellersErrors, 'APP_NOT_FOUND')
    const apps = named ? [named] : await listOwnApps(db.read, actor.id)
    return historyReply(db.reports, { resellerId: params.id, apps, limit, before })
  },
})
