import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { readSize } from '#contract/size.ts'
import type { Services } from '../services.ts'

/** The largest file that may be uploaded, in bytes: of the server's configuration and the administrators' setting the smaller. */
export async function maxFileBytes({ config, settings }: Pick<Services, 'config' | 'settings'>): Promise<number> {
  const { maxRequestSize } = (await settings.current()).api
  return Math.min(config.maxUploadBytes, readSize(maxRequestSize) ?? Infinity)
}

/** Refuses what is larger than administrators allow; most calls take far less by themselves (R-INP-02). */
export function rejectLargeRequest({ settings }: Pick<Services, 'settings'>, bytes: number): void {
  const max = readSize(settings.latest.api.maxRequestSize)
  if (max !== undefined && bytes > max) reject(commonErrors, 'BODY_TOO_LARGE')
}
