import type { JobHandler } from './jobs.ts'
import { epochSeconds, type Services } from '../services.ts'

/**
 * Addresses and hardware ids go after some days from what is stored only to be looked at later (R-PII-01). What a feature
 * has of them it blanks in batches: rows from before a second, in epoch seconds. No audit row: nobody acts.
 */
export const addressRetention = (blank: (services: Services, before: number) => Promise<void>): JobHandler => ({
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 86_400,
  async run(services) {
    const days = services.config.addressRetentionDays
    if (days > 0) await blank(services, epochSeconds(services) - days * 86_400)
  },
})
