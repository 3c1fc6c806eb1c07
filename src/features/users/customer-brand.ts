import type { Reader } from '#database/database.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import type { Services } from '#server/services.ts'

/** Brand of emails to a user; undefined for the platform. */
export type CustomerBrand = (
  db: Reader,
  user: { appId: string; userId: number },
  now: number,
) => Promise<MailPlatform | undefined>

const registered = new WeakMap<Services, CustomerBrand>()

/** Called once at start, by the feature that knows which reseller sold to the user. */
export function addCustomerBrand(services: Services, brand: CustomerBrand): void {
  registered.set(services, brand)
}

export const customerBrand = (services: Services): CustomerBrand | undefined => registered.get(services)
