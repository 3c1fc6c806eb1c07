import type { FrameSurroundings } from '#contract/frame-address.ts'
import { type Problem, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { findPlan } from '#features/plans/plans.reads.ts'
import { unlimitedPlan } from '#features/plans/plans.rules.ts'
import { type AccountContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import {
  lockSettings,
  type PlatformSettings,
  type SettingsGroup,
  storeSettings,
} from '#server/settings/platform-settings.ts'
import type { Services } from '#server/services.ts'
import type { MailSettings } from '#server/mail/mail-connection.ts'
import { settingsErrors } from './admin.errors.ts'
import {
  maintenanceMessageProblem,
  originsProblem,
  platformNameProblem,
  requestSizeProblem,
  senderEmailProblem,
  smtpHostProblem,
  statusPageProblem,
} from './admin.rules.ts'
import { queueMailServerNotices } from './mail-server-notices.ts'
import { withPassword } from './mail-password.ts'

type SettingsContext = AccountContext & { services: Pick<Services, 'config' | 'settings' | 'masterKey'> }

interface SettingsChange {
  settings: object
  before?: object | undefined
}

type SettingsProblem = Problem<keyof typeof settingsErrors> | undefined

type ProblemsOf<G extends SettingsGroup> = (
  group: PlatformSettings[G],
  surroundings: FrameSurroundings,
) => Record<string, SettingsProblem>

/** Problems of a whole group, by field. */
const problemsOf: { [G in SettingsGroup]: ProblemsOf<G> } = {
  platform: ({ platformName, maintenanceMessage, maintenanceMode, statusPageUrl }, surroundings) => ({
    statusPageUrl: statusPageProblem(statusPageUrl, surroundings),
    platformName: platformNameProblem(platformName),
    maintenanceMessage: maintenanceMessageProblem(maintenanceMessage, maintenanceMode),
  }),
  email: (email) => ({ smtpHost: smtpHostProblem(email), senderEmail: senderEmailProblem(email) }),
  api: ({ maxRequestSize, allowedOrigins, enableCORS }) => ({
    maxRequestSize: requestSizeProblem(maxRequestSize),
    allowedOrigins: originsProblem(allowedOrigins, enableCORS),
  }),
  security: () => ({}),
}

/** Changes the given fields. Takes effect in all processes on commit. */
export async function saveSettings<G extends SettingsGroup>(
  tx: Tx,
  context: SettingsContext,
  name: G,
  { settings, before }: SettingsChange,
): Promise<void> {
  const stored = await lockSettings(tx, name)
  const current = { ...context.services.settings.defaults[name], ...stored }
  const { smtpPassword, ...visible } = withoutReadOnly(settings) as { smtpPassword?: string }
  const given = Object.entries(visible).filter(([, value]) => value !== undefined)
  const changed = Object.fromEntries(
    given.map(([field, value]) => [field, field === 'statusPageUrl' ? String(value).trim() : value]),
  )
  rejectFieldConflict(
    { before: before && withoutReadOnly(before), change: changed },
    current as Record<string, unknown>,
  )
  const next = { ...current, ...changed }
  const { publicUrl } = context.services.config
  const { enforceHTTPS } = context.services.settings.latest.security
  for (const [field, problem] of Object.entries(problemsOf[name](next, { publicUrl, enforceHTTPS })))
    if (problem) rejectProblem(settingsErrors, { ...problem, field })
  await rejectUnknownPlan(tx, changed)
  if (name === 'email') {
    const before = current as MailSettings
    const email = withPassword(context.services, { before, next: next as MailSettings, smtpPassword })
    await storeSettings(tx, 'email', email)
    await queueMailServerNotices(tx, context, { before, after: email })
  } else {
    const since = name === 'platform' && maintenanceSince(context, current as Maintenance, next as Maintenance)
    await storeSettings(tx, name, { ...next, ...since })
  }
  const details = { ...changed, ...(smtpPassword && { smtpPassword: 'changed' }) }
  await recordAudit(tx, context, {
    act: 'settings.save',
    target: name,
    details,
    changes: changesOf(current, changed),
  })
}

type Maintenance = Partial<Pick<PlatformSettings['platform'], 'maintenanceMode' | 'maintenanceSince'>>

/** When maintenance mode was turned on. */
function maintenanceSince({ now }: SettingsContext, before: Maintenance, next: Maintenance): Maintenance {
  const since = before.maintenanceMode ? (before.maintenanceSince ?? null) : now
  return { maintenanceSince: next.maintenanceMode ? since : null }
}

/** Removes the fields that only replies have, or that are set by others. */
function withoutReadOnly(fields: object): object {
  const { hasPassword: _hasPassword, maintenanceSince: _since, ...stored } = fields as Record<string, unknown>
  return stored
}

async function rejectUnknownPlan(tx: Tx, { defaultPlan }: { defaultPlan?: unknown }): Promise<void> {
  if (typeof defaultPlan !== 'string' || defaultPlan === unlimitedPlan.name) return
  if (!(await findPlan(tx.db, defaultPlan)))
    rejectProblem(settingsErrors, { code: 'DEFAULT_PLAN_UNKNOWN', field: 'defaultPlan' })
}
