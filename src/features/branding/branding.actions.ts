import { findVerifiedDomain } from '#features/resellers/resellers.reads.ts'
import { defaultPrimaryColor, defaultSecondaryColor, domainKey } from '#features/resellers/resellers.rules.ts'
import { brandTokens } from '#features/resellers/branding.rules.ts'
import { brandedDomain } from '#features/resellers/reseller-brand.ts'
import type { PageBrand } from '#server/http/page-brand.ts'
import { epochSeconds, type Services } from '#server/services.ts'

export interface Branding {
  primaryColor: string
  secondaryColor: string
  companyName: string
  logo: string
}

/** Signet's own brand. An unverified domain gets the same reply as an unknown one. */
const ownBranding = ({ settings }: Services): Branding => ({
  primaryColor: defaultPrimaryColor,
  secondaryColor: defaultSecondaryColor,
  companyName: settings.latest.platform.platformName,
  logo: '',
})

async function brandOfHost(services: Services, host: string): Promise<Branding | undefined> {
  const { read } = services.db
  const found = await brandedDomain(read, await findVerifiedDomain(read, domainKey(host)), epochSeconds(services))
  if (!found) return undefined
  return {
    primaryColor: found.primary_color,
    secondaryColor: found.secondary_color,
    // The platform's name is not revealed to customers of a reseller.
    companyName: found.company_name || found.domain,
    logo: found.logo_url,
  }
}

export const brandingOf = async (services: Services, host: string): Promise<Branding> =>
  (await brandOfHost(services, host)) ?? ownBranding(services)

/** Embedded in the page, which then needs no second request and never flashes in other colors. */
export async function pageBrandOf(services: Services, host: string): Promise<PageBrand | undefined> {
  const brand = await brandOfHost(services, host)
  return brand && { name: brand.companyName, logo: brand.logo, tokens: brandTokens(brand) }
}
