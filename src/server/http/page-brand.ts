import type { Feature, PageBrand } from './endpoint.ts'
import type { Services } from '../services.ts'

export type PageBrandOf = (host: string) => Promise<PageBrand | undefined>

/** How the dashboard looks at a host; nothing on Signet's own and on those that no reseller has proved. */
export function pageBrands(services: Services, features: readonly Pick<Feature, 'pageBrand'>[]): PageBrandOf {
  const { config, log } = services
  const ownHost = new URL(config.publicUrl).hostname
  return async (host) => {
    if (host === ownHost) return undefined
    try {
      const brands = await Promise.all(features.map(({ pageBrand }) => pageBrand?.(services, host)))
      return brands.find((brand) => brand !== undefined)
    } catch (error) {
      // The page is shown all the same, as Signet's own.
      log.error({ err: error }, 'could not look up the brand of a host')
      return undefined
    }
  }
}
