import type { Reader } from '#database/database.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import type { Services } from '#server/services.ts'

/** Whose name and address a user's mails have; undefined is the platform. */
export type CustomerBrand = (
  db: Reader,
  user: { appId: string; userId: number },
  now: number,
) => Promise<MailPlatform | undefined>

const registered = new WeakMap<Services, CustomerBrand>()

/** Called once, at the start of the feature that knows who sold to whom. */
export function addCustomerBrand(services: Services, brand: CustomerBrand): void {
  registered.set(services, brand)
}

export const customerBrand = (services: Services): CustomerBrand | undefined => registered.get(services)
