import type { Services } from '../services.ts'

/** A name, a logo and the colors of the dashboard that replace Signet's own. */
export interface PageBrand {
  name: string
  /** An https address; empty without one. */
  logo: string
  /** CSS custom properties. */
  tokens: Readonly<Record<string, string>>
}

interface Branding {
  pageBrand?: (services: Services, host: string) => Promise<PageBrand | undefined>
}

export type PageBrandOf = (host: string) => Promise<PageBrand | undefined>

/** How the dashboard looks at a host; nothing on Signet's own and on those that no reseller has proved. */
export function pageBrands(services: Services, features: readonly Branding[]): PageBrandOf {
  const { config, log } = services
  const ownHost = new URL(config.publicUrl).hostname
  return async (host) => {
    if (host === ownHost) return undefined
    try {
      const brands = await Promise.all(features.map(({ pageBrand }) => pageBrand?.(services, host)))
      return brands.find((brand) => brand !== undefined)
    } catch (error) {
      // The page is served anyway, with Signet's own brand.
      log.error({ err: error }, 'could not look up the brand of a host')
      return undefined
    }
  }
}
