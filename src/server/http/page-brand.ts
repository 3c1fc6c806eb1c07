import type { Feature, PageBrand } from './endpoint.ts'
import type { Services } from '../services.ts'

export type PageBrandOf = (host: string) => Promise<PageBrand | undefined>

/** The brand of the dashboard on a host; undefined on Signet's own host and on unverified hosts. */
export function pageBrands(services: Services, features: readonly Pick<Feature, 'pageBrand'>[]): PageBrandOf {
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
