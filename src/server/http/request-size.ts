import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { readSize } from '#contract/size.ts'
import type { Services } from '../services.ts'

/** Maximum upload size in bytes: the smaller of the server's configuration and the administrators' setting. */
export async function maxFileBytes({ config, settings }: Pick<Services, 'config' | 'settings'>): Promise<number> {
  const { maxRequestSize } = (await settings.current()).api
  return Math.min(config.maxUploadBytes, readSize(maxRequestSize) ?? Infinity)
}

/** Rejects requests larger than administrators allow; most calls have a much smaller limit of their own. */
export function rejectLargeRequest({ settings }: Pick<Services, 'settings'>, bytes: number): void {
  const max = readSize(settings.latest.api.maxRequestSize)
  if (max !== undefined && bytes > max) reject(commonErrors, 'BODY_TOO_LARGE')
}
