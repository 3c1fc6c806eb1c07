import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { beforeField, EpochSeconds, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { resellersErrors } from './resellers.errors.ts'
import { defaultPrimaryColor, defaultSecondaryColor } from './resellers.rules.ts'

/** Calls for owners to give a reseller a domain of its own. */

export const ResellerDomainReply = Type.Object({
  domain: Type.String(),
  companyName: Type.String(),
  logoUrl: Type.String(),
  primaryColor: Type.String(),
  secondaryColor: Type.String(),
  proved: Type.Boolean({ description: 'Whether the domain is verified by its TXT record; it works only then' }),
  recordMissingSince: Type.Union([EpochSeconds, Type.Null()], {
    description:
      'When the TXT record of a verified domain was first found missing; after 7 days, the domain loses its verification',
  }),
  lostAt: Type.Union([EpochSeconds, Type.Null()], { description: 'When the domain lost its verification' }),
  cnameTarget: Type.String({ description: 'Empty while PUBLIC_URL has an IP address instead of a host name' }),
  record: Type.Object({ name: Type.String(), value: Type.String() }),
})

const params = strict({ id: Text(60, 1) })

const Color = (standard: string) => Type.Optional(Type.String({ maxLength: 20, default: standard }))

const domainFields = {
  domain: RequiredText(1000, 'DOMAIN_REQUIRED'),
  companyName: Type.Optional(Text(100)),
  logoUrl: Type.Optional(Text(1000)),
  primaryColor: Color(defaultPrimaryColor),
  secondaryColor: Color(defaultSecondaryColor),
}

/** Without defaults: a color that isn't named is not edited. */
const seenFields = { ...domainFields, primaryColor: Text(20), secondaryColor: Text(20) }

export const resellerDomainsContract = {
  getDomain: defineCall('GET /resellers/{id}/domain', {
    access: 'account',
    summary: 'Get the custom domain of a reseller; null if none is set.',
    params,
    reply: reply({ domain: Type.Union([ResellerDomainReply, Type.Null()]) }),
    errors: resellersErrors,
  }),
  saveDomain: defineCall('POST /resellers/{id}/domain', {
    access: 'account',
    planFeature: 'custom_branding',
    summary:
      'Set the custom domain of a reseller and its branding; with `before`, only the fields that it names. The domain works once a TXT record verifies it.',
    params,
    body: strict({ ...domainFields, ...beforeField(seenFields) }),
    reply: reply({ domain: ResellerDomainReply }),
    errors: resellersErrors,
    successes: { DOMAIN_SAVE_OK: 'Domain configuration saved successfully' },
    failure: 'Failed to save domain configuration',
  }),
  checkDomain: defineCall('POST /resellers/{id}/domain/check', {
    access: 'account',
    summary: 'Check the TXT record of the custom domain. Once verified, no other reseller can use the domain.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({ domain: ResellerDomainReply }),
    errors: resellersErrors,
    successes: { DOMAIN_PROVED_OK: 'The domain is verified' },
  }),
  deleteDomain: defineCall('DELETE /resellers/{id}/domain', {
    access: 'account',
    summary: 'Remove the custom domain and its branding.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({}),
    errors: resellersErrors,
    successes: { DOMAIN_DELETE_OK: 'Domain deleted successfully' },
    failure: 'Failed to delete domain',
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof resellerDomainsContract> {}
  interface Codes extends CodesOf<typeof resellerDomainsContract> {}
}
