import type { Services } from '#server/services.ts'
import { findPlan, listPlans } from './plans.reads.ts'
import { freePlan, unlimitedPlan } from './plans.rules.ts'

/**
 * A warning in the log if new owners would get a plan that doesn't exist: they would have Free, and then whatever plan
 * gets this name. No reason to stop a server, since everything else works.
 */
export async function warnOfUnknownDefaultPlan({ db, log, settings }: Services): Promise<void> {
  const { defaultPlan } = (await settings.current()).platform
  if (defaultPlan === freePlan.name || defaultPlan === unlimitedPlan.name) return
  if (await findPlan(db.read, defaultPlan)) return
  const names = (await listPlans(db.read)).map(({ name }) => name)
  log.warn(`DEFAULT_PLAN ${defaultPlan} is no plan, so new owners have Free. The plans are: ${names.join(', ')}`)
}
