import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import { readSize } from '#contract/size.ts'
import type { Services } from './services.ts'

/** Refuses what is larger than administrators allow; most calls take far less by themselves (R-INP-02). */
export function refuseLargeRequest({ settings }: Pick<Services, 'settings'>, bytes: number): void {
  const max = readSize(settings.latest.api.maxRequestSize)
  if (max !== undefined && bytes > max) refuse(commonRefusals, 'BODY_TOO_LARGE')
}
