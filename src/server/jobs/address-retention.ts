import type { JobHandler } from './jobs.ts'
import { epochSeconds, type Services } from '../services.ts'

/**
 * Redacts IP addresses and hardware IDs in stored logs after a number of days. Each feature redacts its own
 * rows older than a given time (epoch seconds) in batches. There is no audit row because nobody acts. Jobs are stored
 * under their names, so these begin with `blank-` as in earlier releases.
 */
export const addressRetention = (redact: (services: Services, before: number) => Promise<void>): JobHandler => ({
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 86_400,
  async run(services) {
    const days = services.config.addressRetentionDays
    if (days > 0) await redact(services, epochSeconds(services) - days * 86_400)
  },
})
