import { endpoint } from '#server/http/endpoint.ts'
import { getReseller } from '../resellers.actions.ts'
import {
  deleteDomain as deleteAction,
  findDomainRecords,
  verifyDomain,
  saveDomain as saveAction,
} from '../reseller-domains.actions.ts'
import { resellerDomainsContract } from '../reseller-domains.contract.ts'
import { findDomain, type ResellerDomain } from '../resellers.reads.ts'
import { domainReply } from '../resellers.reply.ts'
import { defaultPrimaryColor, defaultSecondaryColor } from '../resellers.rules.ts'

export const getDomain = endpoint(resellerDomainsContract.getDomain, {
  read: async ({ services: { db, config }, actor, params }) => {
    await getReseller(db.read, actor.id, params.id)
    const domain = await findDomain(db.read, params.id)
    return { domain: domain ? domainReply(domain, config.publicUrl) : null }
  },
})

export const saveDomain = endpoint(resellerDomainsContract.saveDomain, {
  write: async (tx, context) => {
    const { params, body, services } = context
    await saveAction(tx, context, params.id, {
      domain: body.domain,
      companyName: body.companyName ?? '',
      logoUrl: body.logoUrl ?? '',
      primaryColor: body.primaryColor ?? defaultPrimaryColor,
      secondaryColor: body.secondaryColor ?? defaultSecondaryColor,
      before: body.before,
    })
    const saved = (await findDomain(tx.db, params.id)) as ResellerDomain
    return { code: 'DOMAIN_SAVE_OK', domain: domainReply(saved, services.config.publicUrl) }
  },
})

/** The DNS lookup runs before the transaction; its result is evaluated inside it. */
export const checkDomain = endpoint(resellerDomainsContract.checkDomain, {
  prepare: ({ services, actor, params }) => findDomainRecords(services, actor.id, params.id),
  write: async (tx, context, records) => {
    const proved = await verifyDomain(tx, context, context.params.id, records)
    return { code: 'DOMAIN_PROVED_OK', domain: domainReply(proved, context.services.config.publicUrl) }
  },
})

export const deleteDomain = endpoint(resellerDomainsContract.deleteDomain, {
  write: async (tx, context) => {
    await deleteAction(tx, context, context.params.id)
    return { code: 'DOMAIN_DELETE_OK' }
  },
})
