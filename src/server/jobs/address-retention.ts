import type { JobHandler } from './jobs.ts'
import { epochSeconds, type Services } from '../services.ts'

/**
 * Blanks IP addresses and hardware IDs in stored logs after a number of days. Each feature blanks its own
 * rows older than a given time (epoch seconds) in batches. There is no audit row because nobody acts.
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
